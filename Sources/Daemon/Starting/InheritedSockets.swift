import CPlatform
import EventLoop
import Glibc

/// The listening sockets that systemd passes to the daemon (LISTEN_PID, LISTEN_FDS).
enum InheritedSockets {
    static let socketsMax = 16
    private static let first: Int32 = 3

    static func take(_ surroundings: ProcessEnvironment) throws(StartError) -> [Int32] {
        guard surroundings.variable("LISTEN_PID") == "\(surroundings.processID)",
            let count = surroundings.variable("LISTEN_FDS").flatMap(Int32.init), count > 0
        else { return [] }
        guard count <= socketsMax else {
            throw StartError("systemd passed more than \(socketsMax) sockets", hint: "Check the socket unit.")
        }
        let descriptors = Array(first..<first + count)
        for raw in descriptors {
            guard isListening(raw) else {
                throw StartError(
                    "descriptor \(raw) is not a listening Unix stream socket",
                    hint: "The socket unit needs ListenStream= with a path and Accept=no."
                )
            }
            do throws(SystemError) {
                try SystemCall.prepareInherited(raw)
            } catch {
                throw StartError("descriptor \(raw) cannot be used: \(error)", hint: "Check the socket unit.")
            }
        }
        return descriptors
    }

    private static func isListening(_ raw: Int32) -> Bool {
        option(raw, SO_ACCEPTCONN) == 1 && option(raw, SO_DOMAIN) == AF_UNIX
            && option(raw, SO_TYPE) == Int32(SOCK_STREAM.rawValue)
    }

    private static func option(_ raw: Int32, _ name: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        // Both variables are valid during the call.
        return unsafe getsockopt(raw, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }
}
