// SPDX-License-Identifier: Apache-2.0
import System

/// The incidents that are kept, bounded in number and octets: the oldest give way.
///
/// - Thread: one at a time, which may wait for the disk.
public final class IncidentShelf {
    public struct Limits: Equatable, Sendable {
        public var octets: Int
        public var count: Int

        public init(octets: Int, count: Int) { (self.octets, self.count) = (octets, count) }
    }

    private let files: any IncidentFiles
    /// The newest first.
    public private(set) var incidents: [Incident] = []

    public init(_ files: any IncidentFiles) { self.files = files }

    /// Reads what is there. Files of other names are left alone.
    public func look() throws(SystemCallError) {
        incidents = try files.list().compactMap { name, octets in
            guard name.hasSuffix(Incident.suffix) else { return nil }
            let id = String(name.dropLast(Incident.suffix.count))
            return Incident.kind(of: id) == nil ? nil : Incident(id: id, octets: octets)
        }
        .sorted { $0.id > $1.id }
    }

    /// Keeps an incident, after the oldest have given way to it.
    /// - Parameter octets: no more than the limit.
    public func keep(_ id: String, _ octets: [UInt8], _ limits: Limits) throws(SystemCallError) {
        while let oldest = incidents.last,
            incidents.count >= limits.count || total + octets.count > limits.octets
        {
            try remove(oldest.id)
        }
        try files.write(id + Incident.suffix, octets)
        incidents.insert(Incident(id: id, octets: octets.count), at: 0)
        incidents.sort { $0.id > $1.id }
    }

    /// Removes what settings do not allow any more.
    public func trim(to limits: Limits) throws(SystemCallError) {
        while let oldest = incidents.last, incidents.count > limits.count || total > limits.octets {
            try remove(oldest.id)
        }
    }

    public var total: Int { incidents.reduce(0) { $0 + $1.octets } }

    /// - Returns: nil if there is no such incident.
    public func read(_ id: String) throws(SystemCallError) -> [UInt8]? {
        guard incidents.contains(where: { $0.id == id }) else { return nil }
        return try files.read(id + Incident.suffix)
    }

    /// - Returns: false if there is no such incident.
    @discardableResult
    public func remove(_ id: String) throws(SystemCallError) -> Bool {
        guard let place = incidents.firstIndex(where: { $0.id == id }) else { return false }
        try files.remove(id + Incident.suffix)
        incidents.remove(at: place)
        return true
    }
}
