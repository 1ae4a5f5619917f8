// SPDX-License-Identifier: Apache-2.0
import JSON
import Time

/// What features tell of themselves in each state report of the box.
/// - Thread: the control loop's only.
public final class ReportSections {
    private var sections: [(name: String, section: (Nanoseconds) -> JSONValue?)] = []

    public init() {}

    /// - Parameters:
    ///   - name: of the report's member; no other section has it.
    ///   - section: called once for each state report, with the time that the report covers, so that it may tell what
    ///     came in this time. nil if there is nothing to tell.
    public func add(_ name: String, _ section: @escaping (_ covers: Nanoseconds) -> JSONValue?) {
        precondition(!sections.contains { $0.name == name }, "two sections are called \(name)")
        sections.append((name, section))
    }

    public func remove(_ name: String) { sections.removeAll { $0.name == name } }

    /// The members of a report that covers this time.
    public func members(covering covers: Nanoseconds) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for (name, section) in sections { members[name] = section(covers) }
        return members
    }
}
