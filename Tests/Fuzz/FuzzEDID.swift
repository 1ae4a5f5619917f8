// SPDX-License-Identifier: Apache-2.0
import Display

/// The input as what a screen says, and with the sums of its blocks right, which mutations hardly ever keep.
func fuzzEDID(_ bytes: UnsafeRawBufferPointer) {
    var octets = Array(bytes.prefix(1_024))
    check(octets)
    for start in stride(from: 0, to: octets.count - EDID.blockOctets + 1, by: EDID.blockOctets) {
        let sum = octets[start..<start + EDID.blockOctets - 1].reduce(UInt8(0), &+)
        octets[start + EDID.blockOctets - 1] = 0 &- sum
    }
    check(octets)
}

private func check(_ octets: [UInt8]) {
    guard let screen = octets.withUnsafeBytes({ try? EDID($0) }) else { return }  // refusing is an answer
    precondition(screen.vendor.unicodeScalars.count == 3 && (screen.name?.utf8.count ?? 1) <= 13)
    precondition(screen.timings.count <= 4 + 6 && screen.faults.count < octets.count / EDID.blockOctets)
    for timing in screen.timings {
        precondition(timing.size.width <= timing.total.width && timing.size.height <= timing.total.height)
        precondition(timing.refresh.pictures > 0)
    }
    guard let television = screen.television else { return }
    precondition(television.videoCodes.count <= 123 && television.sound.count <= 41)
    precondition((0...1_275).contains(television.mostTMDS ?? 0))
    for sound in television.sound { precondition((1...8).contains(sound.channels) && sound.rates.count <= 7) }
}
