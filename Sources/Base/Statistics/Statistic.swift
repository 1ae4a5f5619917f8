// SPDX-License-Identifier: Apache-2.0
import JSON

/// A statistic as its engine declares it, once, beside the counters: name, unit, help and how it is read.
///
///     static let statistics: [Statistic<Self>] = [
///         .counter("lostPackets", \.lostPackets, "packets", "Packets that nothing brought.", [.fault, .page]),
public struct Statistic<Counters>: Sendable {
    public typealias Traits = StatisticDescription.Traits

    public private(set) var about: StatisticDescription
    /// Returns nil while the statistic does not apply.
    let read: @Sendable (Counters) -> StatisticValue?

    /// Declares a statistic that no key path can read.
    public init(
        _ name: String, _ kind: StatisticDescription.Kind, _ unit: StatisticUnit, _ help: String, _ traits: Traits = [],
        read: @escaping @Sendable (Counters) -> StatisticValue?
    ) {
        about = StatisticDescription(name, kind, unit, help, traits)
        self.read = read
    }

    public static func counter<Number: FixedWidthInteger & Sendable>(
        _ name: String, _ member: any KeyPath<Counters, Number> & Sendable, _ unit: StatisticUnit, _ help: String,
        _ traits: Traits = []
    ) -> Self {
        Statistic(name, .counter, unit, help, traits, read: number(at: member))
    }

    public static func gauge<Number: FixedWidthInteger & Sendable>(
        _ name: String, _ member: any KeyPath<Counters, Number> & Sendable, _ unit: StatisticUnit, _ help: String,
        _ traits: Traits = []
    ) -> Self {
        Statistic(name, .gauge, unit, help, traits, read: number(at: member))
    }

    /// Reads a number. Nearly all are stored as 64 bits at a fixed place.
    private static func number<Number: FixedWidthInteger & Sendable>(
        at member: any KeyPath<Counters, Number> & Sendable
    ) -> @Sendable (Counters) -> StatisticValue? {
        guard Number.self == Int64.self, let place = MemoryLayout<Counters>.offset(of: member) else {
            return { .integer(Int64(clamping: $0[keyPath: member])) }
        }
        return { counters in
            .integer(withUnsafeBytes(of: counters) { $0.loadUnaligned(fromByteOffset: place, as: Int64.self) })
        }
    }

    /// Declares a number that stands for a state.
    /// - Parameter states: names of the values 0, 1 and so on.
    public static func state<Number: FixedWidthInteger & Sendable>(
        _ name: String, _ member: any KeyPath<Counters, Number> & Sendable, _ states: [String], _ help: String,
        _ traits: Traits = []
    ) -> Self {
        var result = gauge(name, member, .none, help, traits)
        result.about.states = states
        return result
    }

    public static func histogram(
        _ name: String, _ member: any KeyPath<Counters, Histogram> & Sendable, _ unit: StatisticUnit, _ help: String,
        _ traits: Traits = []
    ) -> Self {
        let read = reading(member)
        return Statistic(name, .histogram, unit, help, traits) { .histogram(read($0)) }
    }

    public static func text(
        _ name: String, _ member: any KeyPath<Counters, String> & Sendable, _ help: String, _ traits: Traits = []
    ) -> Self {
        let read = reading(member)
        return Statistic(name, .text, .none, help, traits) { .text(read($0)) }
    }

    /// Declares a text that is absent while the member is nil.
    public static func text(
        _ name: String, _ member: any KeyPath<Counters, String?> & Sendable, _ help: String, _ traits: Traits = []
    ) -> Self {
        let read = reading(member)
        return Statistic(name, .text, .none, help, traits) { read($0).map { StatisticValue.text($0) } }
    }

    /// The same statistic with its name in the reference's list of statistics (SVM-101…126).
    public func known(as reference: String) -> Self {
        var result = self
        result.about.reference = reference
        return result
    }

    /// The same statistic of a whole of which its counters are a part.
    public func of<Whole>(_ part: any KeyPath<Whole, Counters> & Sendable) -> Statistic<Whole> {
        let (read, part) = (read, reading(part))
        var result = Statistic<Whole>(about.name, about.kind, about.unit, about.help) { read(part($0)) }
        result.about = about
        return result
    }

    /// The same statistic as one of several of its name in its group.
    /// - Parameters:
    ///   - label: name of the label that distinguishes them.
    ///   - value: this statistic's value of that label.
    ///   - path: path of keys in its group of `stats`.
    public func labelled(_ label: String, _ value: String, at path: String...) -> Self {
        var result = self
        result.about.labels[label] = value
        result.about.path = path
        return result
    }
}

extension Sequence {
    /// The statistics of `counters` as an object, as `stats` shows them.
    public func json<Counters>(of counters: Counters) -> JSONValue where Element == Statistic<Counters> {
        let members: [StatisticSnapshot.Placed] = compactMap { statistic in
            statistic.read(counters).map { (statistic.about.path, $0.json) }
        }
        return StatisticSnapshot.document(of: members)
    }
}

/// Reads a member. Nearly all are stored at a fixed place; to find it by the key path each time takes many times as long as to
/// read it.
private func reading<Whole, Member>(
    _ member: any KeyPath<Whole, Member> & Sendable
) -> @Sendable (Whole) -> Member {
    guard let place = MemoryLayout<Whole>.offset(of: member) else { return { $0[keyPath: member] } }
    return { whole in
        withUnsafePointer(to: whole) { UnsafeRawPointer($0).load(fromByteOffset: place, as: Member.self) }
    }
}
