import HTTP
import JSON

/// The pictures that answers point at: a pattern that the name decides.
enum Picture {
    /// What requests for pictures are counted under, and their faults are named by.
    static let source = "sandbox.picture"

    static func isAt(_ path: Substring) -> Bool {
        ["image/", "thumb/", "art/"].contains { path.hasPrefix($0) }
    }

    /// The sizes that the thumbnail proxy makes; any other is refused with 403, as the real one does.
    private static let thumbnails = [(120, 174), (130, 130), (138, 78)]

    /// `image/NAME-WIDTHxHEIGHT.png`, `art/NAME/WIDTHxHEIGHTbb.jpg`, `thumb/RWIDTHxHEIGHT.q85/?fname=ORIGINAL`.
    static func response(path: Substring, _ parameters: Parameters) -> HTTPResponse {
        let isProxy = path.hasPrefix("thumb/")
        let parts = path.split(separator: "/").dropFirst()
        guard let name = parts.first, let size = size(in: parts) else {
            return .of(404, "text/plain", Array("no such picture\n".utf8))
        }
        if isProxy {
            guard thumbnails.contains(where: { $0 == size }) else { return HTTPResponse(status: 403) }
            guard let original = parameters["fname"] else { return HTTPResponse(status: 400) }
            return draw(Dice.hash(original), size)
        }
        return draw(Dice.hash(name), size)
    }

    /// The two numbers around the last `x`.
    private static func size(in parts: ArraySlice<Substring>) -> (Int, Int)? {
        let isDigit = { (letter: Character) in letter.isASCII && letter.isNumber }
        guard let name = parts.last, let cut = name.lastIndex(of: "x") else { return nil }
        let width = name[..<cut].reversed().prefix(while: isDigit).reversed()
        let height = name[cut...].dropFirst().prefix(while: isDigit)
        guard let width = Int(String(width)), let height = Int(height), (1...PNG.sideMax).contains(width),
            (1...PNG.sideMax).contains(height)
        else { return nil }
        return (width, height)
    }

    private static func draw(_ key: UInt64, _ size: (Int, Int)) -> HTTPResponse {
        var dice = Dice(key)
        let ink = PNG.Colour(UInt8(dice.roll(160)), UInt8(dice.roll(160)), UInt8(dice.roll(160)))
        let ground = PNG.Colour(UInt8(200 + dice.roll(56)), UInt8(200 + dice.roll(56)), UInt8(200 + dice.roll(56)))
        let step = dice.roll(8...24)
        let slope = dice.roll(1...3)
        let bytes = PNG.image(width: size.0, height: size.1, colours: (ground, ink)) { column, row in
            (column * slope + row) / step % 2 == 0
        }
        return .of(200, "image/png", bytes, [("Cache-Control", "max-age=86400")])
    }
}

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
