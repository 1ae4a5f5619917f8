// SPDX-License-Identifier: Apache-2.0
internal import CLibPQ

/// What a server warned of since it was emptied. Notices of other kinds are let go.
/// - Thread: that of the connection, on which libpq calls.
final class ClusterWarnings {
    var texts: [String] = []

    func add(_ result: OpaquePointer?) {
        guard let severity = PQresultErrorField(result, tl_pq_severity), String(cString: severity) == "WARNING",
            texts.count < 8
        else { return }
        texts.append(PQresultErrorField(result, tl_pq_message).map { String(cString: $0) } ?? "a warning")
    }
}
