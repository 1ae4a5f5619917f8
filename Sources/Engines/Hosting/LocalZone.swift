// SPDX-License-Identifier: Apache-2.0
import System
import Time

/// The time zone of all local times of the box.
/// - Thread: the control loop's only.
public final class LocalZone {
    /// UTC if the rules of the zone cannot be read.
    public private(set) var rules = TimeZoneRules.utc
    /// Why the rules could not be read; nil if they could be. A machine that has no zone is in UTC without a problem.
    public private(set) var problem: String?

    /// - Parameter name: of a zone of tzdata; nil for the zone of the machine.
    public init(_ name: String?) { use(name) }

    public func use(_ name: String?) { (rules, problem) = Self.read(name) }

    /// Why the rules of a zone cannot be read; nil if they can be.
    public static func problem(of name: String?) -> String? { read(name).problem }

    private static func read(_ name: String?) -> (rules: TimeZoneRules, problem: String?) {
        let path = name.map { "/usr/share/zoneinfo/\($0)" } ?? "/etc/localtime"
        do {
            guard let octets = try DurableFile.read(path, limit: TimeZoneRules.largestFile) else {
                return (.utc, name.map { "\($0): no such zone in /usr/share/zoneinfo: install tzdata" })
            }
            return (try TimeZoneRules(tzif: octets), nil)
        } catch {
            return (.utc, "\(path): \(error)")
        }
    }
}
