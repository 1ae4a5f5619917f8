// SPDX-License-Identifier: Apache-2.0
import NetworkFiles
import NetworkHelper
import NetworkPlan

/// What is accepted makes files whose lines are those of a file of the program that reads it, whatever the plan says.
func fuzzNetworkRequest(_ bytes: UnsafeRawBufferPointer) {
    guard let request = try? HelperRequest(parsing: Array(bytes)) else { return }  // refusing is an answer
    guard case .apply(let plan) = request else { return }
    let names = [("eth0", false), ("wlan0", true)].compactMap { name, isWireless in
        InterfaceName(name).map { NetworkDevice($0, isWireless: isWireless) }
    }
    guard let files = try? NetworkFiles(plan, devices: names) else { return }  // as above
    precondition(plan.saysNothing == files.files.isEmpty)
    for file in files.files { precondition(FileRule.holds(for: file), "\(file.name): \(file.text)") }
    guard request.octets.count <= HelperRequest.mostOctets else { return }
    guard let again = try? HelperRequest(parsing: request.octets) else { preconditionFailure("it is not read again") }
    precondition(again == request)
}

/// Tables of the kernel and answers of programs: whatever they hold, what is read of them is bounded.
func fuzzNetworkTables(_ bytes: UnsafeRawBufferPointer) {
    precondition(DefaultRoutes(bytes).routes.count <= DefaultRoutes.mostLines)
    let neighbours = Neighbours(bytes)
    for route in DefaultRoutes(bytes).routes { _ = neighbours.answers(route) }
    precondition(MembershipTable(igmp: bytes).rows.count <= MembershipTable.mostRows)
    precondition(MembershipTable(igmp6: bytes).rows.allSatisfy { $0.group.isIPv6 && $0.users >= Int.min })
    _ = ListenerCounters(bytes)
    precondition(KeyValueText(bytes).words("DNS").count <= bytes.count)
}
