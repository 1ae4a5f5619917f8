// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A disk that loses power: what was not flushed may be there or not. Of a file, its content up to the last flush is
/// certain, and more of it is there by chance. Of a directory, the names up to its last flush are certain, and each later
/// change of a name has happened or has not, independently of the others.
struct PowerCutDisk {
    private struct Content {
        var flushed: [UInt8] = []
        var written: [UInt8] = []
    }

    private enum NameChange {
        case add(String, content: Int)
        case move(String, to: String)
        case remove(String)

        var path: String {
            switch self {
            case .add(let path, _), .move(let path, _), .remove(let path): path
            }
        }
    }

    private var contents: [Content] = []
    /// What programs see.
    private var seen: [String: Int] = [:]
    /// What is certain.
    private var certain: [String: Int] = [:]
    private var unflushed: [NameChange] = []

    /// The content of a file as programs read it; nil if there is no such file.
    func content(of path: String) -> [UInt8]? { seen[path].map { contents[$0].written } }

    mutating func perform(_ step: DiskLog.Step) {
        switch step {
        case .create(let path):
            if let known = seen[path] {
                contents[known].written = []
            } else {
                contents.append(Content())
                seen[path] = contents.count - 1
                unflushed.append(.add(path, content: contents.count - 1))
            }
        case .write(let path, let octets):
            if let content = seen[path] { contents[content].written += octets }
        case .flush(let path):
            if let content = seen[path] {
                contents[content].flushed = contents[content].written
            } else {
                flushNames(of: path)
            }
        case .rename(let old, let new):
            seen[new] = seen.removeValue(forKey: old)
            unflushed.append(.move(old, to: new))
        case .remove(let path):
            seen[path] = nil
            unflushed.append(.remove(path))
        }
    }

    private mutating func flushNames(of directory: String) {
        for change in unflushed where Self.parent(change.path) == directory { Self.apply(change, to: &certain) }
        unflushed.removeAll { Self.parent($0.path) == directory }
    }

    private static func parent(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    private static func apply(_ change: NameChange, to names: inout [String: Int]) {
        switch change {
        case .add(let path, let content): names[path] = content
        // A name that never came to be cannot be moved.
        case .move(let old, let new): if let content = names.removeValue(forKey: old) { names[new] = content }
        case .remove(let path): names[path] = nil
        }
    }

    /// Files as a power cut now may leave them: none, all and some of what is not certain.
    func afterCut(_ count: Int, _ random: inout SplitMix64) -> [[String: [UInt8]]] {
        (0..<count).map { number in
            var names = certain
            for change in unflushed where number == 1 || number > 1 && random.percent(50) {
                Self.apply(change, to: &names)
            }
            return names.mapValues { content in
                let (flushed, written) = (contents[content].flushed, contents[content].written)
                guard flushed != written, number > 0 else { return flushed }
                if number == 1 { return written }
                switch random.next() % 3 {
                case 0: return flushed
                case 1: return written
                default: return Array(written.prefix(Int(random.next() % UInt64(written.count + 1))))
                }
            }
        }
    }
}
