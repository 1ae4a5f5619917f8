// SPDX-License-Identifier: Apache-2.0

extension Bundle {
    /// What people and their programs can read of a bundle, as files. Their names are ours: none comes from the bundle.
    public var files: [(name: String, octets: [UInt8])] {
        let files: [(String, [UInt8])] = [
            ("head.json", parts(.head)), ("settings.json", parts(.settings)), ("events.jsonl", parts(.events)),
            ("statistics.jsonl", parts(.statistics)),
        ]
        let flows = sections.filter { $0.kind == .flow }.map { ("flow-\($0.flow).json", $0.octets) }
        return files.filter { !$0.1.isEmpty } + flows + pictures
    }

    /// The pieces of one kind, the oldest first.
    private func parts(_ kind: BundleSection.Kind) -> [UInt8] {
        sections.filter { $0.kind == kind }.sorted { $0.piece > $1.piece }.flatMap(\.octets)
    }

    /// Each is called by when it was taken, if it says so.
    private var pictures: [(String, [UInt8])] {
        sections.filter { $0.kind == .picture }.map { section in
            let line = section.octets.prefix { $0 != 0x0A }
            let time = line.prefix(19).filter { (0x30...0x39).contains($0) || $0 == 0x54 }
            let name = "picture-\(section.piece)-\(String(decoding: time, as: UTF8.self)).jpg"
            return (name, Array(section.octets[line.endIndex...].dropFirst()))
        }
    }
}
