import CPlatform
import CXML2

/// The elements and texts of a page, in the order of the page.
///
/// A parent comes before its children.
struct PageTree {
    struct Node {
        let tag: Tag
        let parent: Int
        var end: Int
        var attributes: Range<Int> = 0..<0
        var text: Range<Int> = 0..<0
    }

    static let nodesMax = 150_000
    static let depthMax = 400
    /// After this time, the rest of the page is ignored.
    static let nanosecondsMax: Int64 = 2_000_000_000

    private(set) var nodes: [Node] = []
    private(set) var text: [UInt8] = []
    private(set) var attributes: [(name: Attribute, value: String)] = []
    private(set) var isCut = false

    subscript(_ name: Attribute, of node: Int) -> String? {
        attributes[nodes[node].attributes].first { $0.name == name }?.value
    }

    func children(of node: Int) -> some Sequence<Int> {
        sequence(first: node + 1) { nodes[$0].end }.prefix { $0 < nodes[node].end }
    }

    func descendants(of node: Int) -> Range<Int> { node + 1..<nodes[node].end }

    func plainText(of node: Int, bytesMax: Int = .max) -> String {
        var result: [UInt8] = []
        for child in node..<nodes[node].end {
            if result.count > bytesMax { break }
            let tag = nodes[child].tag
            if tag.isBlock || tag == .br, result.last != 0x20, !result.isEmpty { result.append(0x20) }
            if tag != .text || nodes[nodes[child].parent].tag.isSkipped { continue }
            for byte in text[nodes[child].text] {
                if byte > 0x20 || result.last != 0x20 && !result.isEmpty { result.append(max(byte, 0x20)) }
            }
        }
        if result.last == 0x20 { result.removeLast() }
        return String(decoding: result, as: UTF8.self)
    }

    func source(of node: Int) -> [UInt8] {
        children(of: node).filter { nodes[$0].tag == .text }.flatMap { text[nodes[$0].text] }
    }
}

extension PageTree {
    init(html: [UInt8]) {
        let builder = Builder()
        // The parser passes the context to each call. Names and texts are valid during the call, which copies them.
        var events = unsafe cxml2_events(
            start: { context, name, attributes in
                guard let context = unsafe context, let name = unsafe name, let list = unsafe attributes else {
                    return 0
                }
                return unsafe Builder.at(context).start(name, list) ? 0 : 1
            },
            end: { context in
                if let context = unsafe context { unsafe Builder.at(context).end() }
            },
            text: { context, bytes, count in
                guard let context = unsafe context, let bytes = unsafe bytes, count > 0 else { return }
                unsafe Builder.at(context).add(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            }
        )
        unsafe html.withUnsafeBytes { buffer in
            // The buffer, the events and the builder are valid during the call, which does not keep them.
            let bytes = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            let context = unsafe Unmanaged.passUnretained(builder).toOpaque()
            _ = unsafe cxml2_parse_html(bytes, Int32(buffer.count), &events, context)
        }
        builder.finish()
        self = builder.tree
    }

    private final class Builder {
        var tree = PageTree()
        private var depth = 0
        /// The number of open elements that are not in the tree, because a limit is exceeded.
        private var skippedDepth = 0
        private var eventCount = 0
        private let deadline = platform_monotonic_ns() + nanosecondsMax

        init() {
            tree.nodes.append(Node(tag: .other, parent: 0, end: 0))
        }

        /// The builder is valid until the parser returns.
        static func at(_ context: UnsafeMutableRawPointer) -> Builder {
            unsafe Unmanaged<Builder>.fromOpaque(context).takeUnretainedValue()
        }

        private var lastKept = 0

        func start(
            _ name: UnsafePointer<CChar>,
            _ attributes: UnsafePointer<UnsafePointer<CChar>?>
        ) -> Bool {
            guard skippedDepth == 0, depth < depthMax, tree.nodes.count < nodesMax else {
                skippedDepth += 1
                return mayContinue()
            }
            // Each name and value ends with NUL, and the list ends with NULL.
            let tag = unsafe Tag(rawValue: String(cString: name)) ?? .other
            let first = tree.attributes.count
            var index = 0
            while let attribute = unsafe attributes[index] {
                if let known = unsafe Attribute(rawValue: String(cString: attribute)) {
                    let value = unsafe attributes[index + 1].map { unsafe String(cString: $0) } ?? ""
                    tree.attributes.append((known, value))
                }
                index += 2
            }
            lastKept = append(Node(tag: tag, parent: lastKept, end: 0, attributes: first..<tree.attributes.count))
            depth += 1
            return mayContinue()
        }

        func mayContinue() -> Bool {
            eventCount += 1
            if eventCount % 1024 == 0, platform_monotonic_ns() > deadline { tree.isCut = true }
            return !tree.isCut
        }

        func end() {
            if skippedDepth > 0 {
                skippedDepth -= 1
            } else if depth > 0 {
                tree.nodes[lastKept].end = tree.nodes.count
                lastKept = tree.nodes[lastKept].parent
                depth -= 1
            }
        }

        func add(_ bytes: UnsafeRawBufferPointer) {
            let first = tree.text.count
            for scalar in unsafe String(decoding: bytes, as: UTF8.self).unicodeScalars {
                switch scalar.value {
                case 0..<0x80: tree.text.append(UInt8(scalar.value))
                case 0xA0: tree.text.append(0x20)
                // Invisible characters: soft hyphens, zero-width spaces and direction marks.
                case 0xAD, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF: break
                default: tree.text += String(scalar).utf8
                }
            }
            let last = tree.nodes.count - 1
            if tree.nodes[last].tag == .text, tree.nodes[last].parent == lastKept {
                tree.nodes[last].text = tree.nodes[last].text.lowerBound..<tree.text.count
            } else if tree.nodes.count < 2 * nodesMax {
                _ = append(Node(tag: .text, parent: lastKept, end: tree.nodes.count + 1, text: first..<tree.text.count))
            }
        }

        private func append(_ node: Node) -> Int {
            tree.nodes.append(node)
            return tree.nodes.count - 1
        }

        func finish() {
            while skippedDepth + depth > 0 { end() }
            tree.nodes[0].end = tree.nodes.count
        }
    }
}
