// SPDX-License-Identifier: Apache-2.0
internal import CLibCurl
import Time

/// One transfer: libcurl's handle, and what has come so far.
final class TransferLink {
    /// Octets of one field of the header.
    private static let longestField = 8_192

    let transfer: TransferClient.Transfer
    let handle: UnsafeMutableRawPointer
    private let request: TransferRequest
    private var fields: [String: String] = [:]
    private var octets: [UInt8] = []
    private var isTooLong = false
    /// libcurl's list of the request's fields.
    private var header: UnsafeMutablePointer<curl_slist>?

    /// Nil if libcurl refuses an option, for want of memory.
    init?(_ transfer: TransferClient.Transfer, _ request: TransferRequest) {
        guard let handle = curl_easy_init() else { return nil }
        (self.transfer, self.request, self.handle) = (transfer, request, handle)
        let milliseconds = Int(clamping: request.timeout.milliseconds)
        // Neither the environment nor a server sends us anywhere else.
        let texts: [(CURLoption, String)] = [
            (CURLOPT_URL, request.url), (CURLOPT_PROTOCOLS_STR, request.trust == nil ? "http" : "http,https"),
            (CURLOPT_PROXY, ""), (CURLOPT_NOPROXY, "*"), (CURLOPT_USERAGENT, "Touchline"),
        ]
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_NOSIGNAL, 1), (CURLOPT_HTTP09_ALLOWED, 0), (CURLOPT_HTTPGET, 1),
            (CURLOPT_TIMEOUT_MS, milliseconds), (CURLOPT_CONNECTTIMEOUT_MS, milliseconds),
            (CURLOPT_FORBID_REUSE, request.keepsConnection ? 0 : 1), (CURLOPT_BUFFERSIZE, 16_384),
        ]
        let context = Unmanaged.passUnretained(self).toOpaque()
        for (option, text) in texts where tl_curl_set_text(handle, option, text) != CURLE_OK { return nil }
        for (option, number) in numbers where tl_curl_set(handle, option, number) != CURLE_OK { return nil }
        guard tl_curl_set_takers(handle, takeTransferHeader, takeTransferBody, context) == CURLE_OK else { return nil }
        if request.staysOnLink, tl_curl_stay_on_link(handle) != CURLE_OK { return nil }
        if !request.mayBeNear, tl_curl_stay_elsewhere(handle) != CURLE_OK { return nil }
        guard send(), trust() else { return nil }
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(header)
    }

    /// - Returns: false if libcurl refuses an option.
    private func send() -> Bool {
        for field in request.header {
            guard let lines = curl_slist_append(header, "\(field.name): \(field.value)") else { return false }
            header = lines
        }
        if header != nil, tl_curl_set_header(handle, header) != CURLE_OK { return false }
        guard request.method != .get else { return true }
        let isTaken = request.body.withUnsafeBytes { octets in
            tl_curl_set_body(handle, octets.baseAddress ?? UnsafeRawPointer(handle), octets.count) == CURLE_OK
        }
        return isTaken && tl_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue) == CURLE_OK
    }

    private func trust() -> Bool {
        guard tl_curl_set(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)) == CURLE_OK else { return false }
        switch request.trust {
        case nil, .system?: return true
        case .authorities(let pem)?: return tl_curl_set_authorities(handle, pem, pem.utf8.count) == CURLE_OK
        case .key(let digest)?:
            // The key alone counts: neither a name nor a date in the certificate.
            return tl_curl_set_text(handle, CURLOPT_PINNEDPUBLICKEY, digest) == CURLE_OK
                && tl_curl_set(handle, CURLOPT_SSL_VERIFYPEER, 0) == CURLE_OK
                && tl_curl_set(handle, CURLOPT_SSL_VERIFYHOST, 0) == CURLE_OK
        }
    }

    func result(_ code: CURLcode) -> Result<TransferResponse, TransferFailure> {
        if isTooLong { return .failure(.tooLong(limit: request.mostOctets)) }
        switch code {
        case CURLE_OK:
            return .success(TransferResponse(status: Int(tl_curl_status(handle)), fields: fields, octets: octets))
        case CURLE_OPERATION_TIMEDOUT: return .failure(.timedOut)
        default: return .failure(.failed(reason: String(cString: curl_easy_strerror(code))))
        }
    }

    /// - Parameter line: one line of the header, with its end.
    func take(header line: UnsafeRawBufferPointer) -> Int {
        guard line.count <= Self.longestField else { return 0 }
        let text = String(decoding: line, as: UTF8.self)
        // Another header follows an answer that is provisional.
        if text.hasPrefix("HTTP/") { fields = [:] }
        guard let colon = text.firstIndex(of: ":") else { return line.count }
        let name = text[..<colon].lowercased()
        if request.fields.contains(where: { $0.lowercased() == name }) {
            let value = text[colon...].dropFirst().drop { $0 == " " || $0 == "\t" }
            fields[name] = String(value.prefix { !$0.isNewline })
        }
        return line.count
    }

    /// - Returns: 0 ends the transfer.
    func take(body part: UnsafeRawBufferPointer) -> Int {
        guard octets.count + part.count <= request.mostOctets else {
            isTooLong = true
            return 0
        }
        octets += part
        return part.count
    }
}

/// The link outlives its handle, which calls these within `curl_multi_perform` only.
private func takeTransferHeader(
    _ octets: UnsafeMutablePointer<CChar>?, _ one: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let link = Unmanaged<TransferLink>.fromOpaque(context).takeUnretainedValue()
    return link.take(header: UnsafeRawBufferPointer(start: octets, count: one * count))
}

private func takeTransferBody(
    _ octets: UnsafeMutablePointer<CChar>?, _ one: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let link = Unmanaged<TransferLink>.fromOpaque(context).takeUnretainedValue()
    return link.take(body: UnsafeRawBufferPointer(start: octets, count: one * count))
}
