import EventLoop
import Glibc
import HTTP
import TestSupport
import Testing

struct DescriptorTests {
    /// The test runs in another process, because other tests need descriptors.
    @Test func `if no descriptor is free, a fetch fails as overloaded, and later fetches succeed`() async {
        await #expect(processExitsWith: .success) {
            let first = try RawServer { connection in
                while !connection.readHead().isEmpty { connection.answer() }
            }
            let second = try RawServer { connection in
                while !connection.readHead().isEmpty { connection.answer() }
            }
            let name = second.url("/").replacing("127.0.0.1", with: "localhost")
            try await withClient { client in
                // After this request, libcurl has opened all descriptors that it keeps.
                _ = try await client.get(first.url())
                var taken: [Int32] = []
                while case let descriptor = unsafe open("/dev/null", O_RDONLY), descriptor >= 0 {
                    taken.append(descriptor)
                }
                for url in [second.url(), name] {
                    let error = await client.failure(of: url)
                    #expect(error?.code == .overloaded, "\(String(describing: error))")
                    #expect(error?.isRetryable == true && error?.wasSent == false)
                }
                for descriptor in taken { close(descriptor) }
                #expect(try await client.get(second.url()).text == "ok")
            }
        }
    }
}
