// SPDX-License-Identifier: Apache-2.0
import JSON
import Statistics

extension StatisticSnapshot {
    /// The statistics that the reference has too, by the reference's names (SVM-101…126).
    /// - Parameters:
    ///   - region: whose session is meant.
    ///   - isOfBox: whether those of the box itself are wanted as well.
    public func reference(of region: String, isOfBox: Bool) -> [String: JSONValue] {
        var result: [String: JSONValue] = [:]
        for group in groups where group.labels["region"].map({ $0 == region }) ?? isOfBox {
            for (about, value) in group.members {
                if let name = about.reference { result[name] = value.json }
            }
        }
        return result
    }
}
