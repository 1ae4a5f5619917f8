// SPDX-License-Identifier: Apache-2.0
// Seeded damage to real input, in a release build: mutate [--count N] [--seed S] [NAME...]. A parser that traps ends a
// child process; the parent names the seed. `mutate --write DIRECTORY` writes the undamaged input for libFuzzer.
import Foundation
import Fuzz
import TestSupport

struct Arguments {
    var count = 10_000
    var seed: UInt64 = 1
    var names: [String] = []
    var writesTo: String?
    /// In the child: the file that holds the seed being tried.
    var progress: String?

    init(_ words: [String]) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--count": count = rest.popFirst().flatMap { Int($0) } ?? count
            case "--seed": seed = rest.popFirst().flatMap { UInt64($0) } ?? seed
            case "--write": writesTo = rest.popFirst()
            case "--progress": progress = rest.popFirst()
            default: names.append(word)
            }
        }
        if names.isEmpty { names = fuzzEntries.map(\.name) + [WholeStream.name] }
    }
}

let corpus = Corpus(
    root: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent())

func write(to directory: String) throws {
    for (name, _) in fuzzEntries {
        let folder = URL(fileURLWithPath: directory).appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (index, input) in try corpus.inputs(for: name).enumerated() {
            try Data(input).write(to: folder.appendingPathComponent("seed-\(index)"))
        }
    }
}

/// In the child. The seed is in shared memory before its input is tried, so that it survives a trap.
func tryAll(_ name: String, _ arguments: Arguments, progress: String) throws {
    let stream = WholeStream()
    let isWhole = name == WholeStream.name
    let entry = fuzzEntries.first { $0.name == name }
    guard let run = isWhole ? { stream.play($0) } : entry?.run else { exit(2) }
    let file = open(progress, O_RDWR)
    guard file >= 0, let page = mmap(nil, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), page != MAP_FAILED else {
        exit(2)
    }
    let inputs = try corpus.inputs(for: name)
    for seed in arguments.seed..<arguments.seed + UInt64(arguments.count) {
        page.storeBytes(of: seed, as: UInt64.self)
        var mutation = Mutation(seed: seed)
        mutation.damage(inputs[Int(seed % UInt64(inputs.count))]).withUnsafeBytes { run($0) }
    }
    if isWhole, arguments.count > 100 {
        precondition(stream.pictures > 0 && stream.soundFrames > 0)  // otherwise nothing was tried
    }
}

/// - Returns: whether all inputs were survived.
func survives(_ name: String, _ arguments: Arguments) throws -> Bool {
    let progress = FileManager.default.temporaryDirectory.appendingPathComponent("touchline-mutate-\(getpid())-\(name)")
    try Data(count: 8).write(to: progress)
    defer { try? FileManager.default.removeItem(at: progress) }  // a page left in /tmp hurts nobody
    let child = Process()
    child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    child.arguments = [
        "--progress", progress.path, "--count", "\(arguments.count)", "--seed", "\(arguments.seed)", name,
    ]
    // The backtracer would make minutes of a trap.
    child.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    try child.run()
    child.waitUntilExit()
    guard child.terminationReason == .exit, child.terminationStatus == 0 else {
        let seed = try Data(contentsOf: progress).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        print("\(name): FAILED at seed \(seed); reproduce: mutate --count 1 --seed \(seed) \(name)")
        return false
    }
    print("\(name): \(arguments.count) mutations from seed \(arguments.seed), none trapped")
    return true
}

let arguments = Arguments(Array(CommandLine.arguments.dropFirst()))
if let directory = arguments.writesTo {
    try write(to: directory)
} else if let progress = arguments.progress, let name = arguments.names.first {
    try tryAll(name, arguments, progress: progress)
} else {
    let outcomes = try arguments.names.map { try survives($0, arguments) }
    exit(outcomes.allSatisfy { $0 } ? 0 : 1)
}
