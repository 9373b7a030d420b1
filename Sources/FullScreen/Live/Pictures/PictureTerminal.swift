import Client
import EventLoop
import SearchModel
import Terminal

/// Finds out how the terminal shows pictures.
struct PictureTerminal {
    static let program = "chafa"
    static let advice = "To see pictures, install chafa: sudo apt install chafa."

    private let path: String
    private let capabilities: Capabilities
    private let cell: CellSize?
    private var query = GraphicsQuery()
    /// When to stop waiting for the terminal's answers.
    ///
    /// Nil before the query is sent, and after the last answer.
    private var dueAt: Instant?

    init?(_ environment: Environment, _ capabilities: Capabilities, cell: CellSize?) {
        guard let path = ProgramSearch.path(of: Self.program, environment) else { return nil }
        (self.path, self.capabilities, self.cell) = (path, capabilities, cell)
    }

    mutating func ask(at now: Instant) -> [UInt8] {
        dueAt = now.advanced(by: GraphicsQuery.timeout)
        return GraphicsQuery.sequence
    }

    /// Once the last answer has arrived, returns how to draw pictures.
    ///
    /// Returns nil before the last answer, or if the terminal cannot show pictures.
    mutating func receive(_ answers: [TerminalAnswer], at now: Instant) -> PictureStyle? {
        guard let dueAt, now < dueAt else { return nil }
        for answer in answers {
            guard let kind = query.receive(answer) else { continue }
            self.dueAt = nil
            return style(kind)
        }
        return nil
    }

    func style(_ kind: GraphicsKind) -> PictureStyle? {
        let kind = cell == nil ? .symbols : kind
        if kind == .symbols, !capabilities.hasColours || !capabilities.isUTF8 { return nil }
        return PictureStyle(program: path, kind: kind, colours: capabilities.colours, cell: cell ?? .usual)
    }
}
