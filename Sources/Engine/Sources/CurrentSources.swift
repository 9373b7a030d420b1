import Catalogue
import EventLoop
package import SearchModel
package import Upstream

/// The current sources; they are replaced as a whole, so a search uses either the old sources or the new ones.
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

    /// Replaces the current sources; returns changed and removed sources: their cached pages are not valid.
    ///
    /// `keepsEdition` gets the old and the new source of a name; it returns whether the cached pages stay valid.
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

    /// Returns the source of a page, even if it was replaced; returns nil if `retired` does not contain it.
    package func source(of key: PageKey) -> ConfiguredSource? {
        state.withLock { state in
            if let source = state.current[key.source], source.edition == key.edition { return source }
            return state.retired.last { $0.source.name == key.source && $0.edition == key.edition }
        }
    }

    /// Returns the source of a page; returns nil if it was replaced or removed.
    package func currentSource(of key: PageKey) -> ConfiguredSource? {
        state.withLock { state in state.current[key.source].flatMap { $0.edition == key.edition ? $0 : nil } }
    }
}
