// SPDX-License-Identifier: Apache-2.0
import System

enum NegotiationError: Error {
    case call(SystemCallError)
    case unsuitable(DecoderFault)
}

/// Chooses the format of a stream's pictures ("Capture Setup", steps 1 to 4): the device's own if we can draw it, in
/// the arrangement that display planes prefer if the device offers that.
struct PictureNegotiation {
    private let device: any V4L2Device

    init(_ device: any V4L2Device) { self.device = device }

    func agree() throws(NegotiationError) -> PictureFormat {
        var agreed = try asking { () throws(SystemCallError) in try device.format(of: .pictures) }
        let offered = Set(device.formats(of: .pictures).map(\.format))
        let known = PictureLayout(agreed.format)
        // If we cannot draw the device's own format, it may still offer another, for instance an untiled one.
        let candidates = known?.equals ?? PictureLayout(FourCC("NV12"))?.equals ?? []
        for candidate in candidates where offered.contains(candidate) || candidate == agreed.format {
            guard candidate != agreed.format else { break }
            var wish = agreed
            wish.format = candidate
            wish.planes = Array(
                repeating: V4L2Format.Plane(stride: 0, octets: 0), count: PictureLayout(candidate)?.buffers ?? 1)
            let answer = try asking { () throws(SystemCallError) in try device.setFormat(wish, of: .pictures) }
            guard answer.format != candidate else {
                agreed = answer
                break
            }
        }
        // A refused attempt may have changed the format, so the current one is read back.
        agreed = try asking { () throws(SystemCallError) in try device.format(of: .pictures) }
        do throws(DecoderFault) {
            return try PictureFormat(agreed, area: device.visibleArea(), aspect: device.pixelAspect())
        } catch {
            throw .unsuitable(error)
        }
    }

    private func asking<Answer>(_ call: () throws(SystemCallError) -> Answer) throws(NegotiationError) -> Answer {
        do throws(SystemCallError) { return try call() } catch { throw .call(error) }
    }
}
