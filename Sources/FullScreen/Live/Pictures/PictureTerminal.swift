import Client
import EventLoop
import SearchModel
import Terminal

/// Finds out whether and how pictures are shown here: asks the terminal, and measures how long it takes to answer;
/// pure.
struct PictureTerminal {
    /// The program that draws them.
    static let program = "chafa"
    static let advice = "Pictures are drawn by chafa (“sudo apt install chafa”)."

    static func canDraw(_ environment: Environment) -> Bool { ProgramSearch.path(of: program, environment) != nil }

    private let path: String
    private let capabilities: Capabilities
    private let cell: CellSize?
    private var question = GraphicsQuestion()
    private let canBeAsked: Bool
    private var asksLeft = 3
    /// Until when an answer counts; nil when none is waited for.
    private(set) var dueAt: Instant?

    /// Nil where no pictures are shown: without the program.
    ///
    /// - Parameters:
    ///   - environment: Says where the program is and what the terminal is called.
    ///   - capabilities: What the terminal can do.
    ///   - cell: How large its cells are; nil when it does not tell: then it shows characters only.
    init?(_ environment: Environment, _ capabilities: Capabilities, cell: CellSize?) {
        guard let path = ProgramSearch.path(of: Self.program, environment) else { return nil }
        self.path = path
        self.capabilities = capabilities
        self.cell = cell
        canBeAsked = GraphicsQuestion.canBeAsked { environment[$0] }
    }

    /// How pictures are drawn where the terminal can't be asked; nil where it can, or where there are none.
    var styleUnasked: PictureStyle? { canBeAsked ? nil : style(.symbols) }

    /// What is to be written to the terminal now; its answer counts for a while.
    mutating func ask(at now: Instant) -> [UInt8] {
        guard canBeAsked else { return [] }
        return ask(GraphicsQuestion.sequence, at: now)
    }

    /// What an answer comes to.
    enum Outcome {
        case nothing
        case style(PictureStyle)
        /// This is to be written: it has to be seen whether the terminal is slow or was only starting.
        case again([UInt8])
    }

    mutating func received(_ answers: [TerminalAnswer], at now: Instant) -> Outcome {
        for answer in answers {
            guard let kind = question.received(answer) else { continue }
            if let dueAt, now < dueAt {
                self.dueAt = nil
                asksLeft = 0
                return style(kind).map { .style($0) } ?? .nothing
            }
            return asksLeft > 0 ? .again(ask(GraphicsQuestion.lastPart, at: now)) : .nothing
        }
        return .nothing
    }

    /// The answer has timed out: no pictures are drawn, unless it comes later.
    mutating func expire(at now: Instant) {
        if let dueAt, dueAt <= now { self.dueAt = nil }
    }

    private mutating func ask(_ sequence: [UInt8], at now: Instant) -> [UInt8] {
        asksLeft -= 1
        dueAt = now.advanced(by: GraphicsQuestion.patience)
        return sequence
    }

    private func style(_ kind: GraphicsKind) -> PictureStyle? {
        let kind = cell == nil ? .symbols : kind
        // Characters without colours show nothing.
        if kind == .symbols, !capabilities.hasColours || !capabilities.isUTF8 { return nil }
        return PictureStyle(program: path, kind: kind, colours: capabilities.colours, cell: cell ?? .usual)
    }
}
