/// The manual pages there are.
package enum ManualPage: String, CaseIterable, Sendable {
    case searchctl = "searchctl.1"
    case searchd = "searchd.8"
    case configuration = "searchd.conf.5"

    /// The page as man(1) reads it.
    package var text: String {
        switch self {
        case .searchctl: SearchctlManual.page(of: CommandTable.commands)
        case .searchd: DaemonManual.page
        case .configuration: ConfigurationManual.page
        }
    }
}
