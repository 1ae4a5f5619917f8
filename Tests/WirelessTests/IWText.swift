// SPDX-License-Identifier: Apache-2.0

/// What `iw` prints of a thing: a heading, and lines that are indented, of names and values.
struct IWText {
    struct Section {
        let heading: String
        var values: [String: String] = [:]

        /// The number that a value begins with.
        func integer(_ name: String) -> Int64? {
            values[name].flatMap { Int64($0.prefix { $0 == "-" || ("0"..."9").contains($0) }) }
        }
    }

    let sections: [Section]

    /// - Parameter marks: how headings begin.
    init(_ text: String, heading mark: String) {
        var sections: [Section] = []
        for line in text.split(separator: "\n") {
            let words = line.drop { $0 == "\t" || $0 == " " }
            if words.hasPrefix(mark) {
                sections.append(Section(heading: String(words)))
            } else if let colon = words.firstIndex(of: ":"), !sections.isEmpty {
                let value = words[words.index(after: colon)...].drop { $0 == "\t" || $0 == " " }
                sections[sections.count - 1].values[String(words[..<colon])] = String(value)
            }
        }
        self.sections = sections
    }
}
