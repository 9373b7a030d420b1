import EventLoop

/// The memory limit of the service's control group, compared with the memory that the daemon may need.
struct MemoryAllowance: Equatable {
    static let workBytes = 192 << 20
    /// The memory for searches, in quarters of the cache size.
    ///
    /// 4 are for cached pages, 4 for pages that cursors keep, and 2 for gaps in the heap.
    private static let cacheQuarters = 10
    private static let root = "/sys/fs/cgroup"
    private static let files = ["memory.high", "memory.max"]

    let bytes: Int?

    /// `group` is the content of `/proc/self/cgroup`.
    init(group: String, contents: (String) -> String?) {
        let path = group.split(separator: "\n").first { $0.hasPrefix("0::/") }?.dropFirst(3) ?? ""
        var parts = path.split(separator: "/")
        var limits: [Int] = []
        while !parts.isEmpty {
            let directory = Self.root + parts.map { "/\($0)" }.joined()
            for file in Self.files {
                let text = contents("\(directory)/\(file)") ?? ""
                if let limit = Int(text.prefix { $0.isNumber }) { limits.append(limit) }
            }
            parts.removeLast()
        }
        bytes = limits.min()
    }

    static var current: MemoryAllowance {
        func text(_ path: String) -> String? {
            (try? SmallFile.read(path, bytesMax: 1 << 12)).map { String(decoding: $0.bytes, as: UTF8.self) }
        }
        return MemoryAllowance(group: text("/proc/self/cgroup") ?? "", contents: text)
    }

    func problem(cacheBytes: Int, file: String?) -> (message: String, hint: String)? {
        guard let bytes, cacheBytes / 4 * Self.cacheQuarters + Self.workBytes > bytes else { return nil }
        let room = max(1, ((bytes - Self.workBytes) / Self.cacheQuarters * 4) >> 20)
        let message = """
            memory.cacheBytes is \(cacheBytes >> 20) MiB, which does not fit into the \(bytes >> 20) MiB of memory that \
            this service may use
            """
        let line = "memory: { cacheBytes: \"\(room)MiB\" }"
        let place = file ?? "/etc/searchd/config.json5"
        return (message, "Write \(line) in \(place), or raise MemoryHigh and MemoryMax of the unit.")
    }
}
