// SPDX-License-Identifier: Apache-2.0
internal import CLibCurl

/// libcurl's multi handle and the transfers that are under way. The owner creates it; afterwards only the client's thread
/// uses it.
final class TransferService {
    /// How long the thread waits for something to happen, ms: a wake-up that is lost delays a request by so much.
    private static let longestWait: CInt = 1_000
    /// libcurl has to be started once in a process, before any thread uses it.
    private static let isStarted = tl_curl_start() == CURLE_OK

    private let exchange: TransferExchange
    private let multi: UnsafeMutableRawPointer
    private var links: [UnsafeMutableRawPointer: TransferLink] = [:]

    init(_ exchange: TransferExchange) {
        guard Self.isStarted, let multi = curl_multi_init() else { preconditionFailure("no memory for libcurl") }
        (self.exchange, self.multi) = (exchange, multi)
        exchange.open(multi)
    }

    func run() {
        var isRunning = true
        while isRunning {
            for command in exchange.takeCommands() {
                switch command {
                case .begin(let transfer, let request): begin(transfer, request)
                case .stop: isRunning = false
                }
            }
            guard isRunning else { break }
            var count: CInt = 0
            _ = curl_multi_perform(multi, &count)
            reportEnded()
            _ = curl_multi_poll(multi, nil, 0, Self.longestWait, nil)
        }
        end()
    }

    /// Nothing is done after that.
    func end() {
        exchange.close()
        for link in links.values { _ = curl_multi_remove_handle(multi, link.handle) }
        links = [:]
        _ = curl_multi_cleanup(multi)
    }

    private func begin(_ transfer: TransferClient.Transfer, _ request: TransferRequest) {
        guard links.count < TransferClient.mostTransfers else {
            let failure = TransferFailure.tooMany(limit: TransferClient.mostTransfers)
            return exchange.report(.init(transfer: transfer, result: .failure(failure)))
        }
        guard let link = TransferLink(transfer, request), curl_multi_add_handle(multi, link.handle) == CURLM_OK else {
            let failure = TransferFailure.failed(reason: "libcurl does not take the request")
            return exchange.report(.init(transfer: transfer, result: .failure(failure)))
        }
        links[link.handle] = link
    }

    private func reportEnded() {
        var code = CURLE_OK
        while let handle = tl_curl_ended(multi, &code) {
            _ = curl_multi_remove_handle(multi, handle)
            guard let link = links.removeValue(forKey: handle) else { continue }
            exchange.report(.init(transfer: link.transfer, result: link.result(code)))
        }
    }
}
