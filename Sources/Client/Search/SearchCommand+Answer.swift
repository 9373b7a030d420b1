import EventLoop
import JSON
import RPC
import SearchModel

/// Waiting for the answer to one request.
extension SearchCommand {
    /// Takes what comes until the final answer, which it returns; meanwhile the screen shows what is known.
    func answer(
        _ exchange: inout DaemonConnection,
        _ state: inout State
    ) throws(ClientError) -> Result<JSONCursor, ClientError> {
        let deadline = Instant.now.advanced(by: parameters.timeout + .seconds(Self.graceSeconds))
        let request = state.request
        while let line = try nextLine(&exchange, until: deadline, &state) {
            switch try Message.read(line) {
            case .result(id: request, let result): return .success(result)
            case .failure(id: request, let error): return .failure(error)
            case .failure(id: nil, let error): throw error
            case .notification(let method, let params):
                guard let params, try take(method, params, &exchange, &state) else { continue }
                // What goes to the same terminal comes before the line.
                if context.console.outputIsTerminal { try exchange.flush() }
                if !output.isPaged { progress.show(state.waiting.line) }
            // Nothing else was asked for.
            case .result, .failure: continue
            }
        }
        throw Connector.lost
    }

    /// Takes the hits that are here already, when nothing further is waited for.
    func takeArrived(_ exchange: inout DaemonConnection, _ state: inout State) {
        while let line = try? exchange.nextLine(until: .now),
            case .notification(let method, let params?)? = try? Message.read(line)
        {
            guard (try? take(method, params, &exchange, &state)) != nil else { return }
        }
    }

    /// Takes a notification; false for one that a newer daemon sends and we don't know.
    private func take(
        _ method: String,
        _ params: JSONCursor,
        _ exchange: inout DaemonConnection,
        _ state: inout State
    ) throws(ClientError) -> Bool {
        switch NotificationName(exactly: method) {
        case .hits:
            state.waiting.received(hits: params, at: .now)
            state.preview.add(state.presenter.preview(of: params))
            let previewed = state.preview.text(at: .now)
            let printed = state.presenter.received(hits: params)
            if !previewed.isEmpty || !printed.isEmpty { progress.clear() }
            exchange.print(previewed)
            try output.print(printed, to: &exchange)
        case .source:
            state.waiting.received(source: params, at: .now)
            let source = SearchReport.Source(params)
            if source.status == .failed { state.failed.append(source) }
        case .progress: state.waiting.received(progress: params, at: .now)
        case .libraryChanged, .cancelRequest, .agentProgress, .cancelled, nil: return false
        }
        return true
    }

    /// The daemon's next line; meanwhile the progress line and the hits that have come appear when their time comes.
    private func nextLine(
        _ exchange: inout DaemonConnection,
        until deadline: Instant,
        _ state: inout State
    ) throws(ClientError) -> [UInt8]? {
        while let dueAt = [progress.dueAt, state.preview.dueAt].compactMap(\.self).min(), dueAt < deadline {
            do throws(ClientError) {
                return try exchange.nextLine(until: dueAt)
            } catch {
                guard error.code == .init(.timeout) else { throw error }
                try show(&state.preview, &exchange)
            }
        }
        return try exchange.nextLine(until: deadline)
    }

    private func show(_ preview: inout HitPreview, _ exchange: inout DaemonConnection) throws(ClientError) {
        let text = preview.text(at: .now)
        if !text.isEmpty {
            progress.takeAway()
            exchange.print(text)
            try exchange.flush()
        }
        progress.showPending()
    }
}
