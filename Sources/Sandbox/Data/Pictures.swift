import HTTPMessage

/// The addresses of the pictures that the sandbox serves itself.
struct Pictures: Sendable {
    let base: String

    func image(_ serial: UInt64, width: Int, height: Int) -> String {
        "\(base)/_sandbox/image/\(String(serial, radix: 36))-\(width)x\(height).png"
    }

    /// A store's picture: its size and crop are the last part of the address, and can be replaced.
    func artwork(_ serial: UInt64, width: Int, height: Int, _ crop: String) -> String {
        "\(base)/_sandbox/art/\(String(serial, radix: 36))/\(width)x\(height)\(crop).jpg"
    }

    /// The proxied small form of a picture; only the sizes that the proxy makes are served.
    func thumbnail(of original: String, width: Int, height: Int) -> String {
        "\(base)/_sandbox/thumb/R\(width)x\(height).q85/?fname=\(PercentEncoding.encode(original))"
    }
}
