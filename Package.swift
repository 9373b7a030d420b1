// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // Without system modules in the index for editors, a debug build takes about half the time.
    .unsafeFlags(["-index-ignore-system-modules"], .when(configuration: .debug)),
]

func module(
    _ name: String,
    uses dependencies: [Target.Dependency] = [],
    resources: [Resource]? = nil,
    linkerSettings: [LinkerSetting]? = nil
) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        resources: resources,
        swiftSettings: settings,
        linkerSettings: linkerSettings
    )
}

func program(_ name: String, uses dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(of name: String, uses dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.target(name: name), "TestSupport"] + dependencies,
        exclude: exclude,
        swiftSettings: settings
    )
}

let package = Package(
    name: "searchd",
    products: [
        .executable(name: "searchd", targets: ["searchd"]),
        .executable(name: "searchd-web", targets: ["searchd-web"]),
        .executable(name: "searchctl", targets: ["searchctl"]),
        .executable(name: "searchd-reader", targets: ["searchd-reader"]),
        .executable(name: "searchd-sandbox", targets: ["searchd-sandbox"]),
        .executable(name: "searchbench", targets: ["searchbench"]),
    ],
    targets: [
        .target(name: "CCurl"),
        .target(name: "CEchoPeer"),
        .systemLibrary(name: "CHiredis", providers: [.apt(["libhiredis-dev"])]),
        .target(name: "CPlatform"),
        .target(name: "CSQLitePeer", dependencies: ["CSQLite"]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),

        module("JSON"),
        tests(of: "JSON"),
        module("Hangul"),
        tests(of: "Hangul"),
        module("Terminal", uses: ["CPlatform", "Hangul"]),
        tests(of: "Terminal", uses: ["Hangul"]),
        module("SearchModel", uses: ["Hangul", "JSON"]),
        tests(of: "SearchModel", uses: ["JSON"]),
        module("RPC", uses: ["JSON", "SearchModel"]),
        tests(of: "RPC", uses: ["JSON", "SearchModel"]),
        module("Reader", uses: ["CPlatform", "CXML2", "JSON", "SearchModel"]),
        tests(of: "Reader", uses: ["JSON", "SearchModel"], exclude: ["Pages"]),
        module("EventLoop", uses: ["CPlatform"]),
        tests(of: "EventLoop", uses: ["CPlatform"]),
        module("Storage", uses: ["CPlatform", "CSQLite", "EventLoop", "JSON"]),
        tests(of: "Storage", uses: ["CPlatform", "CSQLite", "EventLoop"]),
        module("HTTP", uses: ["CCurl", "CPlatform", "EventLoop", "JSON"]),
        tests(of: "HTTP", uses: ["CCurl", "EventLoop"]),
        module("Personal", uses: ["EventLoop", "Hangul", "JSON", "SearchModel", "Storage"]),
        tests(of: "Personal", uses: ["EventLoop", "Hangul", "JSON", "SearchModel", "Storage"]),
        module(
            "Catalogue",
            uses: ["HTTP", "Hangul", "JSON", "SearchModel"],
            resources: [.embedInCode("BuiltIn")]
        ),
        tests(of: "Catalogue", uses: ["HTTP", "Hangul", "JSON", "Sandbox", "SearchModel"]),
        module(
            "Upstream",
            uses: ["Catalogue", "EventLoop", "HTTP", "JSON", "RPC", "SearchModel", "Storage"]
        ),
        tests(
            of: "Upstream",
            uses: ["Catalogue", "EventLoop", "HTTP", "RPC", "SearchModel", "SearchTestSupport", "Storage"]
        ),
        module(
            "Engine",
            uses: ["Catalogue", "EventLoop", "Hangul", "JSON", "RPC", "SearchModel", "Storage", "Upstream"]
        ),
        tests(
            of: "Engine",
            uses: [
                "Catalogue", "EventLoop", "HTTP", "Hangul", "JSON", "RPC", "SearchModel", "SearchTestSupport",
                "Storage", "Upstream",
            ]
        ),
        module(
            "Fetching",
            uses: ["Catalogue", "Engine", "EventLoop", "HTTP", "JSON", "RPC", "SearchModel", "Upstream"]
        ),
        tests(of: "Fetching", uses: ["EventLoop", "HTTP", "SearchTestSupport"]),
        module(
            "Fleet",
            uses: [
                "CHiredis", "Catalogue", "Engine", "EventLoop", "JSON", "RPC", "SearchModel", "Upstream",
            ],
            resources: [.embedInCode("Lua")],
            // Linked statically, because a machine without a fleet should not need hiredis.
            linkerSettings: [.linkedLibrary(":libhiredis.a")]
        ),
        tests(
            of: "Fleet",
            uses: [
                "CPlatform", "Catalogue", "Engine", "EventLoop", "JSON", "RPC", "SearchModel", "SearchTestSupport",
                "Upstream",
            ]
        ),
        module(
            "Client",
            uses: ["CPlatform", "EventLoop", "Hangul", "JSON", "RPC", "SearchModel", "Terminal"],
            resources: [.embedInCode("Texts")]
        ),
        tests(
            of: "Client",
            uses: ["CPlatform", "EventLoop", "FullScreen", "Hangul", "JSON", "RPC", "SearchModel", "Terminal"]
        ),
        module(
            "FullScreen",
            uses: ["CPlatform", "Client", "EventLoop", "Hangul", "JSON", "RPC", "SearchModel", "Terminal"]
        ),
        module("MCP", uses: ["Client", "EventLoop", "JSON", "RPC", "SearchModel"]),
        tests(of: "MCP", uses: ["Client", "JSON", "RPC", "SearchModel"]),
        module(
            "Web",
            uses: ["CPlatform", "Client", "EventLoop", "JSON", "RPC", "SearchModel"],
            resources: [.embedInCode("Page")]
        ),
        tests(of: "Web", uses: ["CPlatform", "Client", "EventLoop", "JSON", "RPC"]),
        module(
            "Daemon",
            uses: [
                "CPlatform", "Catalogue", "Engine", "EventLoop", "Fetching", "Fleet", "HTTP", "Hangul", "JSON",
                "Personal", "RPC", "SearchModel", "Storage", "Upstream",
            ]
        ),
        tests(
            of: "Daemon",
            uses: [
                "CPlatform", "Catalogue", "Client", "Engine", "EventLoop", "Fleet", "HTTP", "Hangul", "JSON", "MCP",
                "Personal",
                "RPC", "Sandbox", "SearchModel", "SearchTestSupport", "Upstream",
            ]
        ),
        module("Sandbox", uses: ["EventLoop", "HTTP", "JSON"], resources: [.embedInCode("APIs")]),
        tests(of: "Sandbox", uses: ["EventLoop", "HTTP", "JSON"]),
        module(
            "Benchmark",
            uses: [
                "CEchoPeer", "CPlatform", "CSQLitePeer", "Catalogue", "Engine", "EventLoop", "Hangul", "JSON",
                "SearchModel",
            ],
            resources: [.embedInCode("Ranking/Judged")]
        ),
        tests(of: "Benchmark", uses: ["EventLoop", "JSON", "SearchModel"]),

        program("searchbench", uses: ["Benchmark"]),
        program("searchctl", uses: ["Client", "FullScreen", "MCP"]),
        program("searchd", uses: ["Daemon"]),
        program("searchd-reader", uses: ["Reader"]),
        program("searchd-sandbox", uses: ["Sandbox"]),
        program("searchd-web", uses: ["Web"]),

        .testTarget(name: "HouseTests", swiftSettings: settings),

        .target(name: "CTestSupport", path: "Tests/CTestSupport"),
        .target(
            name: "TestSupport",
            dependencies: ["CPlatform", "CTestSupport", "EventLoop"],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "SearchTestSupport",
            dependencies: ["Catalogue", "EventLoop", "SearchModel", "Upstream"],
            path: "Tests/SearchTestSupport",
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

// Only scripts/fuzz builds the fuzzer.
if Context.environment["SEARCHD_FUZZ"] != nil {
    package.products.append(.executable(name: "searchd-fuzz", targets: ["searchd-fuzz"]))
    package.targets += [
        .systemLibrary(name: "CFuzzer"),
        program("searchd-fuzz", uses: ["Benchmark", "CFuzzer", "Daemon", "EventLoop"]),
    ]
}
