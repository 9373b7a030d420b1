// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// One set of settings for every Swift target: Swift 6 language mode, warnings are errors, unsafe code is marked.
let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A room of the house: a library target under `Sources` that may use only the rooms it names.
func room(_ name: String, uses dependencies: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

/// A program: its `main`, and nothing else worth testing.
func program(_ name: String, uses dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The tests of a room.
func tests(of name: String, uses dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.target(name: name), "TestSupport"] + dependencies,
        swiftSettings: settings
    )
}

let package = Package(
    name: "searchd",
    products: [
        .executable(name: "searchd", targets: ["searchd"]),
        .executable(name: "searchctl", targets: ["searchctl"]),
        .executable(name: "searchd-sandbox", targets: ["searchd-sandbox"]),
        .executable(name: "searchbench", targets: ["searchbench"]),
    ],
    targets: [
        // System libraries and what Glibc's module lacks.
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(name: "CEchoPeer"),
        .target(name: "CPlatform"),
        .target(name: "CSQLitePeer", dependencies: ["CSQLite"]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

        // Rooms, each listed after those it uses.
        room("JSON"),
        tests(of: "JSON"),
        room("Hangul"),
        tests(of: "Hangul"),
        room("Terminal", uses: ["CPlatform", "Hangul"]),
        tests(of: "Terminal", uses: ["Hangul"]),
        room("SearchModel", uses: ["Hangul", "JSON"]),
        tests(of: "SearchModel", uses: ["JSON"]),
        room("RPC", uses: ["JSON", "SearchModel"]),
        tests(of: "RPC", uses: ["JSON", "SearchModel"]),
        room("EventLoop", uses: ["CPlatform"]),
        tests(of: "EventLoop", uses: ["CPlatform"]),
        room("Storage", uses: ["CPlatform", "CSQLite", "EventLoop", "JSON"]),
        tests(of: "Storage", uses: ["CPlatform", "CSQLite", "EventLoop"]),
        room("HTTP", uses: ["CCurl", "CPlatform", "EventLoop", "JSON"]),
        tests(of: "HTTP", uses: ["CCurl", "EventLoop"]),
        room("Personal", uses: ["EventLoop", "Hangul", "JSON", "SearchModel", "Storage"]),
        tests(of: "Personal", uses: ["EventLoop", "Hangul", "JSON", "SearchModel", "Storage"]),
        room(
            "Catalogue",
            uses: ["HTTP", "Hangul", "JSON", "SearchModel"],
            resources: [.embedInCode("BuiltIn")]
        ),
        tests(of: "Catalogue", uses: ["HTTP", "Hangul", "JSON", "Sandbox", "SearchModel"]),
        room(
            "Upstream",
            uses: ["Catalogue", "EventLoop", "HTTP", "JSON", "RPC", "SearchModel", "Storage"]
        ),
        tests(
            of: "Upstream",
            uses: ["Catalogue", "EventLoop", "HTTP", "RPC", "SearchModel", "Storage"]
        ),
        room(
            "Engine",
            uses: ["Catalogue", "EventLoop", "HTTP", "Hangul", "JSON", "RPC", "SearchModel", "Storage", "Upstream"]
        ),
        tests(
            of: "Engine",
            uses: ["Catalogue", "EventLoop", "HTTP", "Hangul", "JSON", "RPC", "SearchModel", "Storage", "Upstream"]
        ),
        room(
            "Client",
            uses: ["CPlatform", "EventLoop", "Hangul", "JSON", "RPC", "SearchModel", "Terminal"],
            resources: [.embedInCode("Texts")]
        ),
        tests(of: "Client", uses: ["CPlatform", "EventLoop", "Hangul", "JSON", "RPC", "SearchModel", "Terminal"]),
        room("MCP", uses: ["Client", "EventLoop", "JSON", "RPC", "SearchModel"]),
        tests(of: "MCP", uses: ["JSON", "RPC", "SearchModel"]),
        room(
            "Daemon",
            uses: [
                "CPlatform", "Catalogue", "Engine", "EventLoop", "HTTP", "Hangul", "JSON", "Personal", "RPC",
                "SearchModel", "Storage", "Upstream",
            ]
        ),
        tests(
            of: "Daemon",
            uses: [
                "CPlatform", "Catalogue", "Client", "Engine", "EventLoop", "HTTP", "Hangul", "JSON", "MCP", "Personal",
                "RPC", "Sandbox", "SearchModel", "Upstream",
            ]
        ),
        room("Sandbox", uses: ["EventLoop", "HTTP", "JSON"], resources: [.embedInCode("APIs")]),
        tests(of: "Sandbox", uses: ["EventLoop", "HTTP", "JSON"]),
        room(
            "Benchmark",
            uses: [
                "CEchoPeer", "CPlatform", "CSQLitePeer", "Catalogue", "Engine", "EventLoop", "Hangul", "JSON",
                "SearchModel",
            ],
            resources: [.embedInCode("Ranking/Judged")]
        ),
        tests(of: "Benchmark", uses: ["EventLoop", "JSON", "SearchModel"]),

        // Programs.
        program("searchbench", uses: ["Benchmark"]),
        program("searchctl", uses: ["Client", "MCP"]),
        program("searchd", uses: ["Daemon"]),
        program("searchd-sandbox", uses: ["Sandbox"]),

        // The rules of the house, over all files.
        .testTarget(name: "HouseTests", swiftSettings: settings),

        // What tests share.
        .target(name: "CTestSupport", path: "Tests/CTestSupport"),
        .target(
            name: "TestSupport",
            dependencies: ["CPlatform", "CTestSupport", "EventLoop"],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

// Needs a build of its own, in which libFuzzer is linked and everything is watched: scripts/fuzz.
if Context.environment["SEARCHD_FUZZ"] != nil {
    package.products.append(.executable(name: "searchd-fuzz", targets: ["searchd-fuzz"]))
    package.targets += [
        .systemLibrary(name: "CFuzzer"),
        program("searchd-fuzz", uses: ["Benchmark", "CFuzzer", "Daemon", "EventLoop"]),
    ]
}
