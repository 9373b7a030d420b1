import Catalogue
import EventLoop
package import SearchModel
package import Upstream

/// The current sources; a reload of the configuration replaces all of them at once.
package final class CurrentSources: Sendable {
    static let retiredMax = 256

    private struct State {
        var current: SourceRegistry
        var retired: [ConfiguredSource] = []
        var latestEdition: UInt32 = 0
    }

    private let state: Locked<State>

    package init(_ registry: SourceRegistry) {
        state = Locked(State(current: registry))
    }

    package var current: SourceRegistry { state.withLock { $0.current } }

    /// Returns the changed and removed sources; their cached pages are no longer valid.
    package func replace(
        with registry: SourceRegistry,
        keepsEdition: (ConfiguredSource, ConfiguredSource) -> Bool
    ) -> Set<SourceName> {
        let old = current
        let edition = state.withLock { state in
            state.latestEdition += 1
            return state.latestEdition
        }
        let new = registry.withEdition { source in
            guard let before = old[source.source.name], keepsEdition(before, source) else { return edition }
            return before.edition
        }
        let ended = old.all.filter { new[$0.source.name]?.edition != $0.edition }
        state.withLock { state in
            state.retired = (state.retired + ended).suffix(Self.retiredMax)
            state.current = new
        }
        return Set(ended.map(\.source.name))
    }

    /// Also finds sources that were replaced recently.
    package func source(of key: PageKey) -> ConfiguredSource? {
        state.withLock { state in
            if let source = state.current[key.source], source.edition == key.edition { return source }
            return state.retired.last { $0.source.name == key.source && $0.edition == key.edition }
        }
    }

    package func currentSource(of key: PageKey) -> ConfiguredSource? {
        state.withLock { state in state.current[key.source].flatMap { $0.edition == key.edition ? $0 : nil } }
    }
}
