import JSON
import RPC
import SearchModel

/// What a reload has changed: the keys of the configuration, and the sources.
struct ReloadReport: Equatable, Sendable {
    /// As `accounts.kakao` or `log.level`, sorted.
    var changed: [String] = []
    var sourcesAdded: [SourceName] = []
    var sourcesRemoved: [SourceName] = []
    var sourcesChanged: [SourceName] = []
    /// Of the changed keys, those that hold from the next start on.
    var needsRestart: [String] = []

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.name(.changed)
            Self.write(changed, to: &writer)
            writer.name(.sources)
            writer.object { writer in
                for (name, sources) in [
                    ("added", sourcesAdded), ("removed", sourcesRemoved), ("changed", sourcesChanged),
                ] {
                    writer.name(name)
                    Self.write(sources.map(\.text), to: &writer)
                }
            }
            writer.name(.needsRestart)
            Self.write(needsRestart, to: &writer)
        }
    }

    private static func write(_ texts: [String], to writer: inout JSONWriter) {
        writer.array { writer in for text in texts { writer.string(text) } }
    }

    /// For the log.
    var line: String {
        let parts = [
            changed.isEmpty ? nil : "changed \(changed.joined(separator: ", "))",
            Self.part("new sources", sourcesAdded), Self.part("sources gone", sourcesRemoved),
            Self.part("sources changed", sourcesChanged),
            needsRestart.isEmpty ? nil : "\(needsRestart.joined(separator: ", ")) needs a restart",
        ].compactMap { $0 }
        return parts.isEmpty ? "reloaded; nothing has changed" : "reloaded: \(parts.joined(separator: "; "))"
    }

    private static func part(_ title: String, _ sources: [SourceName]) -> String? {
        sources.isEmpty ? nil : "\(title): \(sources.map(\.text).joined(separator: ", "))"
    }
}
