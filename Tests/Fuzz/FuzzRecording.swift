// SPDX-License-Identifier: Apache-2.0
import Bytes
import Recording

/// Bundles of incidents and files of rings as a worn disk, or somebody else, may leave them: what is read stays inside.
func fuzzRecording(_ bytes: UnsafeRawBufferPointer) {
    let octets = Array(bytes)
    if let bundle = try? Bundle(parsing: octets) {  // refusing is an answer
        precondition(bundle.sections.count <= Bundle.mostSections)
        _ = try? bundle.flows()
    }
    if let image = try? RingImage(file: octets) {
        precondition(image.records.allSatisfy { $0.content.upperBound <= image.octets.count })
        for log in image.inputLogs(octets: 1 << 16) {
            guard (try? RecordedInput.read(log)) != nil else { preconditionFailure("a log of ours is not read") }
        }
    }
    if let flow = try? FlowDescription(parsing: octets) {
        guard let again = try? FlowDescription(parsing: flow.json.octets()) else {
            preconditionFailure("it is not read again")
        }
        precondition(again == flow)
    }
}
