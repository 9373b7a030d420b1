import JSON
import Testing

@testable import Benchmark

@Suite struct LoadResultsTests {
    private static let wide = Scenario(connections: 64)
    private static let deep = Scenario(connections: 64, depth: 16)

    private func sample(answers: Int, latency: Int64) -> LoadSample {
        var sample = LoadSample()
        sample.answers = answers
        sample.elapsed = 1_000_000_000
        sample.latencies.record(latency)
        return sample
    }

    /// Two rounds in which searchd answers so many, and Redis and the echo 100 and 120.
    private func results(searchd: [Int], latency: Int64) -> LoadResults {
        let plan = LoadPlan(
            scenarios: [Scenario(connections: 1), Self.wide, Self.deep],
            peers: PeerName.allCases,
            rounds: searchd.count,
            measured: .seconds(1)
        )
        var results = LoadResults(plan: plan)
        for step in plan.steps {
            switch step.peer {
            case .searchd: results.add(sample(answers: searchd[step.round], latency: latency), for: step)
            case .redis: results.add(sample(answers: 100, latency: 10_000), for: step)
            case .echo: results.add(sample(answers: 120, latency: 9_000), for: step)
            }
        }
        return results
    }

    @Test func `every target of the load has its verdict`() {
        let verdicts = LoadTargets.verdicts(results(searchd: [101, 99, 100], latency: 10_000))
        #expect(
            verdicts.map(\.line) == [
                "pass  at least Redis's rate at 64 connections: 1.00 (0.99–1.01)",
                "pass  at least Redis's rate at 64 connections, 16 deep: 1.00 (0.99–1.01)",
                "pass  at least 0.8 of the echo's rate at 64 connections: 0.83 (0.83–0.84)",
                "pass  p99 no worse than Redis's at 64 connections: 1.00 (1.00–1.00)",
                "pass  p99 no worse than Redis's at 64 connections, 16 deep: 1.00 (1.00–1.00)",
            ]
        )
    }

    @Test func `a hundredth less than Redis is a miss`() {
        let verdicts = LoadTargets.verdicts(results(searchd: [99, 99, 99], latency: 10_300))
        #expect(verdicts.map(\.passed) == [false, false, true, false, false])
    }

    @Test func `without searchd there is no verdict`() throws {
        let plan = try Options(arguments: ["--peers", "redis,echo"]).plan
        #expect(LoadTargets.verdicts(LoadResults(plan: plan)).isEmpty)
    }

    @Test func `wrong answers of any round are counted`() {
        let plan = LoadPlan(scenarios: [Self.wide], peers: [.echo], rounds: 2, measured: .seconds(1))
        var results = LoadResults(plan: plan)
        for (step, wrong) in zip(plan.steps, [2, 3]) {
            var sample = sample(answers: 1, latency: 1)
            sample.wrong = wrong
            sample.firstWrong = "answer \(wrong)"
            results.add(sample, for: step)
        }
        #expect(results.wrongAnswers(of: .echo).count == 5)
        #expect(results.wrongAnswers(of: .echo).first == "answer 2")
    }

    @Test func `the report for programs holds every round`() throws {
        let results = results(searchd: [101, 99, 100], latency: 10_000)
        let report = Report(sections: [LoadPart.section(results, answerBytes: 4_096, processors: "here")])
        let root = try JSONDocument(Array(report.json.utf8)).root
        let scenario = try #require(root["load"]?[0]?[1])
        #expect(scenario["answers/s"]?.string == "64 connections")
        #expect(scenario["searchd"]?.elements.map(\.double) == [101, 99, 100])
        #expect(scenario["searchd/redis"]?[1]?.double == 0.99)
        #expect(root["verdicts"]?[0]?["passed"]?.bool == true)
        #expect(root["failures"]?.count == 0)
    }
}
