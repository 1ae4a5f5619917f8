// SPDX-License-Identifier: Apache-2.0
import NetworkHelper
import NetworkPlan
import Venue

extension NetworkSetup {
    /// Has a radio of the settings scan, which needs a right that the helper has.
    /// - Parameter answer: called when the scan has begun, or with the reason why it has not.
    public func scan(_ interface: String, _ answer: @escaping (Result<Void, Status>) -> Void) {
        guard let radio = InterfaceName(interface) else {
            return answer(.failure(.failure(.usage, "\"\(interface)\" is no name of an interface")))
        }
        client.ask(.scan(radio)) { result in answer(result.map { _ in }) }
    }
}
