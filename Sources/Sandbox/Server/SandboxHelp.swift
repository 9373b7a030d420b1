extension SandboxArguments {
    /// What `--help` prints.
    static var help: String {
        let keys = SandboxKeys()
        return """
            usage: searchd-sandbox [OPTION…]

            Imitates the search APIs of Kakao, Naver (also API HUB), Google Books, iTunes, Wikipedia, Open Library and
            Hacker News on http://127.0.0.1, until TERM or INT. Each is served under its name (/kakao, /naver, /naverhub,
            /google, /itunes, /wikipedia, /wikipedia/LANG, /openlibrary, /hackernews) and without one.

              --port N              listen on this port; 0 (the default) takes a free one
              --print-port          print one line of JSON with port, base URLs and keys once it listens
              --seed N              another number is another world of documents
              --unlimited           no quotas and rates
              --limit NAME=N        one of \(SandboxLimits.names.map(\.name).joined(separator: ", "))
              --quirk NAME=VALUE    one of \(Self.quirks)
              --drift on|off        whether totals move from call to call
              --fault SOURCE:NAME[:SHARE][,times=N][,milliseconds=N][,bytes=N][,status=N][,retryAfter=N][,location=URL]
                                    a share (0 to 1) of the requests to a source (kakao.blog, naver.*, *) fails
              --options JSON        everything at once, as /_sandbox/options shows it
              --kakao-key KEY       accepted instead of \(keys.kakao[0])
              --naver-key ID:SECRET accepted instead of \(keys.naver[0].id):\(keys.naver[0].secret)
              --hub-key ID:SECRET   accepted instead of \(keys.naverHub[0].id):\(keys.naverHub[0].secret)
              --google-key KEY      accepted instead of \(keys.google[0])

            While it runs:
              GET  /_sandbox/counts                        requests by source and status, faults by name
              POST /_sandbox/reset                         forget counts, quotas and faults
              GET  /_sandbox/options, POST with JSON       the options; what the JSON leaves out stays
              GET  /_sandbox/faults?source=kakao.blog      the names of faults that a source can have
              GET  /_sandbox/truth?source=S&query=Q&sort=X all that a walk over the pages must find, in order

            A client that speaks https to it gets a TLS alert, as from a server whose TLS is broken.
            """
    }

    private static var quirks: String {
        (SandboxQuirks.switches.map(\.name) + SandboxQuirks.numbers.map(\.name)).joined(separator: ", ")
    }
}
