// SPDX-License-Identifier: Apache-2.0
import Media
import Synchronization

/// Collects the buffers that readers on any thread give back. The decoder takes them at its next call.
final class PictureReturns: Sendable {
    private let tickets = Mutex<[DecoderMachine.PictureTicket]>([])

    func put(_ ticket: DecoderMachine.PictureTicket) { tickets.withLock { $0.append(ticket) } }

    func takeAll() -> [DecoderMachine.PictureTicket] {
        tickets.withLock { tickets -> [DecoderMachine.PictureTicket] in
            let all = tickets
            tickets.removeAll(keepingCapacity: true)
            return all
        }
    }
}

/// A buffer lent out as a picture; it is given back once, when the picture is released.
final class PictureLoan: Sendable {
    let memory: DeviceMemory
    private let ticket: DecoderMachine.PictureTicket
    private let returns: PictureReturns
    private let isRead = Atomic(false)

    init(_ ticket: DecoderMachine.PictureTicket, _ memory: DeviceMemory, _ returns: PictureReturns) {
        self.memory = memory
        self.ticket = ticket
        self.returns = returns
    }

    func beginReading() {
        if !isRead.exchange(true, ordering: .relaxed) { memory.beginReading() }
    }

    deinit {
        if isRead.load(ordering: .relaxed) { memory.endReading() }
        returns.put(ticket)
    }
}

extension VideoFrame {
    /// - Parameter shared: describes the loan's memory.
    /// - Returns: nil if the buffer is too small for its format.
    init?(
        _ format: PictureFormat, _ loan: PictureLoan, _ shared: SharedPicture?, _ unit: UnitTimes.Unit, isDamaged: Bool
    ) {
        guard let planes = format.planes(in: loan.memory) else { return nil }
        self.init(
            format: format.layout.samples, width: format.visible.width, height: format.visible.height,
            pixelAspect: (format.pixelAspect.width, format.pixelAspect.height), matrix: format.matrix,
            isFullRange: format.isFullRange, transfer: format.transfer, planes: planes, shared: shared, loan: loan,
            pts: unit.pts, isDamaged: isDamaged || unit.isDamaged, owner: Unmanaged.passRetained(loan).toOpaque(),
            beginReading: { Unmanaged<PictureLoan>.fromOpaque($0).takeUnretainedValue().beginReading() },
            giveBack: { Unmanaged<PictureLoan>.fromOpaque($0).release() })
    }
}
