// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Every entry by its name; `board/fuzz` and `mutate` take each in turn. The two that take longest come first, so that
/// neither is left for the end, when the other processors have no work.
public let fuzzEntries: [(name: String, run: @Sendable (UnsafeRawBufferPointer) -> Void)] = [
    ("TransportStream", fuzzTransportStream),
    ("ElementaryStream", fuzzElementaryStream),
    ("Alert", fuzzAlert),
    ("Announcement", fuzzAnnouncement),
    ("AudioSpecificConfig", fuzzAudioSpecificConfig),
    ("BoardDecoders", fuzzBoardDecoders),
    ("CaptureRequest", fuzzCaptureRequest),
    ("Certificate", fuzzCertificate),
    ("ChecksumManifest", fuzzChecksumManifest),
    ("CommandWords", fuzzCommandWords),
    ("CompanionScreens", fuzzCompanionScreens),
    ("CompressedSAP", fuzzCompressedSAP),
    ("Console", fuzzConsole),
    ("ControlSession", fuzzControlSession),
    ("Credentials", fuzzCredentials),
    ("DataMessages", fuzzDataMessages),
    ("Discovery", fuzzDiscovery),
    ("EDID", fuzzEDID),
    ("Echo", fuzzEcho),
    ("EventInformation", fuzzEventInformation),
    ("H264Parameters", fuzzH264Parameters),
    ("HTTP", fuzzHTTP),
    ("HTTPAnswer", fuzzHTTPAnswer),
    ("InputLog", fuzzInputLog),
    ("JSON", fuzzJSON),
    ("LineUp", fuzzLineUp),
    ("Netlink", fuzzNetlink),
    ("NetworkRequest", fuzzNetworkRequest),
    ("NetworkTables", fuzzNetworkTables),
    ("Parity", fuzzParity),
    ("ParityDetector", fuzzParityDetector),
    ("ProtectionWindows", fuzzProtectionWindows),
    ("RTP", fuzzRTP),
    ("RTPPayload", fuzzRTPPayload),
    ("EnrolmentAnswer", fuzzEnrolmentAnswer),
    ("EnrolmentRequest", fuzzEnrolmentRequest),
    ("Recording", fuzzRecording),
    ("ReportAnswer", fuzzReportAnswer),
    ("ReportBatch", fuzzReportBatch),
    ("SAP", fuzzSAP),
    ("SDP", fuzzSDP),
    ("SenderReport", fuzzSenderReport),
    ("SignedCommand", fuzzSignedCommand),
    ("SignedEnvelope", fuzzSignedEnvelope),
    ("SignedOrder", fuzzSignedOrder),
    ("Spool", fuzzSpool),
    ("Uevent", fuzzUevent),
    ("Wireless", fuzzWireless),
]

/// The one that TOUCHLINE_FUZZ names. `list` prints the names instead.
private let entry: @Sendable (UnsafeRawBufferPointer) -> Void = {
    let name = getenv("TOUCHLINE_FUZZ").map { String(cString: $0) } ?? "list"
    if let entry = fuzzEntries.first(where: { $0.name == name }) { return entry.run }
    let isAsked = name == "list"
    let names = fuzzEntries.map { "\($0.name)\n" }.joined()
    let answer = isAsked ? names : "no fuzz entry \(name); there are:\n\(names)"
    _ = write(isAsked ? STDOUT_FILENO : STDERR_FILENO, answer, answer.utf8.count)
    _exit(isAsked ? 0 : 2)  // without the sanitizer's look for leaks
}()

/// Called by libFuzzer before anything else: from here on leaving would count as a crash.
@_cdecl("LLVMFuzzerInitialize")
public func fuzzInitialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
    _ = entry
    return 0
}

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    entry(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}
