import HTTPMessage

/// The pictures that answers point at: a pattern that the name decides.
enum Picture {
    /// The sizes that the thumbnail proxy makes; any other is refused with 403, as the real one does.
    private static let thumbnails = [(120, 174), (130, 130), (138, 78)]

    /// `image/NAME-WIDTHxHEIGHT.png`, and `thumb/RWIDTHxHEIGHT.q85/?fname=ORIGINAL`.
    static func response(path: Substring, _ parameters: Parameters) -> HTTPResponse {
        let isProxy = path.hasPrefix("thumb/")
        guard let name = path.split(separator: "/").dropFirst().first, let size = size(in: name, isProxy) else {
            return .of(404, "text/plain", Array("no such picture\n".utf8))
        }
        if isProxy {
            guard thumbnails.contains(where: { $0 == size }) else { return HTTPResponse(status: 403) }
            guard let original = parameters["fname"] else { return HTTPResponse(status: 400) }
            return draw(Dice.hash(original), size)
        }
        return draw(Dice.hash(name), size)
    }

    private static func size(in name: Substring, _ isProxy: Bool) -> (Int, Int)? {
        let text =
            isProxy ? name.dropFirst().prefix { $0 != "." } : name.split(separator: "-").last?.prefix { $0 != "." }
        let sides = (text ?? "").split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2, sides.allSatisfy({ (1...PNG.sideMax).contains($0) }) else { return nil }
        return (sides[0], sides[1])
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
