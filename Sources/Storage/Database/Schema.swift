/// The tables of one kind of file, as the steps that made them.
///
/// `PRAGMA user_version` counts the steps that a file has seen. A step that has once been released is never changed:
/// what is to differ is a new step at the end.
package struct Schema: Sendable {
    /// Each a script of SQL.
    package let migrations: [String]

    package init(migrations: [String]) {
        self.migrations = migrations
    }

    package var version: Int64 { Int64(migrations.count) }
}
