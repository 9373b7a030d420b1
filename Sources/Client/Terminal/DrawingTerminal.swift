import Terminal

/// A terminal whose whole screen a command draws on.
struct DrawingTerminal {
    let screen: FullScreen
    /// As the command line and the environment allow.
    let capabilities: Capabilities

    /// Nil where nothing can be drawn: in a pipe, or on a dumb terminal.
    init?(_ arguments: Arguments, _ context: Context) {
        let console = context.console
        let found = Capabilities { context.environment[$0] }
        guard console.outputIsTerminal, found.canDraw,
            let screen = FullScreen(input: console.input, output: console.output)
        else { return nil }
        self.screen = screen
        let isColoured = Style(arguments, environment: context.environment, isTerminal: true).isOn
        capabilities = Capabilities(
            hasColours: isColoured && found.hasColours,
            colours: found.colours,
            isUTF8: found.isUTF8
        )
    }
}
