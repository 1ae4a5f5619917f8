// SPDX-License-Identifier: Apache-2.0
import Time

extension RepairParity {
    /// Columns on the media's port + 2 and rows on port + 4, the convention of ST 2022-1 §8.1. A port beyond 65,535
    /// gives no endpoint.
    public init(beside address: String, port: UInt16, source: String? = nil, span: Nanoseconds) {
        func endpoint(_ offset: UInt16) -> FlowEndpoint? {
            let (sum, isOverflowing) = port.addingReportingOverflow(offset)
            return isOverflowing ? nil : FlowEndpoint(address: address, port: sum, source: source)
        }
        self.init(columns: endpoint(2), rows: endpoint(4), span: span)
    }
}
