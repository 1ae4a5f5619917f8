// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Codecs

@Suite struct DecoderBudgetTests {
    private static let hd = DecoderNeed.Size(width: 1_920, height: 1_088)

    private static func device(
        _ path: String, _ codings: VideoCoding..., kind: DecoderDevice.Kind = .stateful, profiles: [String] = []
    ) -> DecoderDevice {
        let sizes = FrameSizes(width: 64...1_920, height: 64...1_088)
        return DecoderDevice(
            path: path, driver: "vpu", kind: kind,
            streams: codings.map {
                .init($0, kind == .stateful ? $0.stateful : $0.stateless, sizes: sizes, profiles: profiles)
            })
    }

    private static func budget(_ devices: [DecoderDevice], _ limits: DecoderLimits.Device...) -> DecoderBudget {
        DecoderBudget(DecoderInventory(devices: devices, software: []), limits: DecoderLimits(devices: limits))
    }

    private static func refusal(_ budget: inout DecoderBudget, _ need: DecoderNeed) -> String? {
        switch budget.admit(need) {
        case .success: nil
        case .failure(let refusal): refusal.description
        }
    }

    @Test func withoutHardware() {
        var budget = Self.budget([])
        #expect(Self.refusal(&budget, DecoderNeed(.h264)) == "hardware: no device")
        budget = Self.budget([Self.device("/dev/video0", .h264)])
        #expect(Self.refusal(&budget, DecoderNeed(.hevc)) == "hardware: no device")
        budget = Self.budget([Self.device("/dev/video0", .hevc, kind: .stateless)])
        #expect(Self.refusal(&budget, DecoderNeed(.hevc)) == "hardware: no stateful device")
    }

    @Test func instancesOfAStreamAndOfADevice() throws {
        var budget = Self.budget(
            [Self.device("/dev/video0", .h264, .hevc)],
            .init(driver: "vpu", instances: 3, streams: [.init(.h264, instances: 2), .init(.hevc)]))
        #expect(budget.capabilities.map(\.instances) == [2, 3])
        let first = try budget.admit(DecoderNeed(.h264)).get()
        #expect(Self.refusal(&budget, DecoderNeed(.h264)) == nil)
        #expect(Self.refusal(&budget, DecoderNeed(.h264)) == "hardware: all 2 sessions in use")
        #expect(Self.refusal(&budget, DecoderNeed(.hevc)) == nil)
        #expect(Self.refusal(&budget, DecoderNeed(.hevc)) == "hardware: all 3 sessions in use")
        budget.release(first.number)
        budget.release(first.number)
        #expect(budget.count == 2 && Self.refusal(&budget, DecoderNeed(.h264)) == nil)
    }

    /// SVM-42: what all devices take together; what is not known is no limit.
    @Test func sessionsOfAllDevices() {
        let devices = [Self.device("/dev/video0", .h264, .hevc), Self.device("/dev/video1", .h264)]
        #expect(Self.budget([]).mostSessions == nil && Self.budget(devices).mostSessions == nil)
        #expect(Self.budget(devices, .init(driver: "vpu", instances: 3)).mostSessions == 6)
        let streams = DecoderLimits.Device(
            driver: "vpu", instances: 3, streams: [.init(.h264, instances: 1), .init(.hevc, instances: 1)])
        #expect(Self.budget(devices, streams).mostSessions == 3)
        let stateless = [Self.device("/dev/video0", .hevc, kind: .stateless)]
        #expect(Self.budget(stateless, .init(driver: "vpu", instances: 3)).mostSessions == nil)
    }

    /// The same session of two boards' limits: what is not known is tried.
    @Test func unknownIsNoLimit() {
        var budget = Self.budget([Self.device("/dev/video0", .h264)])
        for _ in 0..<20 { #expect(Self.refusal(&budget, DecoderNeed(.h264, size: Self.hd)) == nil) }
        #expect(budget.count(of: "/dev/video0", .h264) == 20 && budget.count(of: "/dev/video0", .hevc) == 0)
    }

    @Test func pixelsOfAllSessionsTogether() {
        let hd60 = 1_920 * 1_088 * 60
        var budget = Self.budget(
            [Self.device("/dev/video0", .h264, .hevc)], .init(driver: "vpu", pixelsPerSecond: hd60))
        #expect(Self.refusal(&budget, DecoderNeed(.h264, size: Self.hd, picturesPerSecond: 50)) == nil)
        #expect(
            Self.refusal(&budget, DecoderNeed(.hevc, size: Self.hd, picturesPerSecond: 25))
                == "hardware: no 52224000 pixels a second, 20889600 left")
        let small = DecoderNeed.Size(width: 720, height: 576)
        #expect(Self.refusal(&budget, DecoderNeed(.hevc, size: small, picturesPerSecond: 50)) == nil)
        // Unknown: taken for 60, which no longer fits.
        #expect(Self.refusal(&budget, DecoderNeed(.hevc, size: small))?.contains("24883200") == true)
        #expect(Self.refusal(&budget, DecoderNeed(.hevc)) == nil)
        let absurd = DecoderNeed(.h264, size: .init(width: .max, height: .max), picturesPerSecond: .max)
        #expect(Self.refusal(&budget, absurd)?.hasPrefix("hardware: no 9223372036854775807x") == true)
        #expect(
            absurd.pixelsPerSecond > 0 && DecoderNeed(.h264, size: .init(width: -1, height: 9)).pixelsPerSecond == 0)
    }

    @Test func sizeRateAndProfile() {
        var budget = Self.budget(
            [Self.device("/dev/video0", .h264, profiles: ["Baseline", "Main", "High", "High 10"])],
            .init(
                driver: "vpu",
                streams: [
                    .init(
                        .h264, profiles: ["high", "main"], mostWidth: 1_280, mostHeight: 720, mostPicturesPerSecond: 50)
                ]))
        #expect(budget.capabilities.first?.stream.profiles == ["Main", "High"])
        func refusal(_ width: Int, _ height: Int, _ rate: Int?, _ profile: String?) -> String? {
            Self.refusal(
                &budget,
                DecoderNeed(
                    .h264, size: .init(width: width, height: height), picturesPerSecond: rate, profile: profile))
        }
        #expect(refusal(1_280, 720, 50, "HIGH") == nil && refusal(64, 64, nil, nil) == nil)
        #expect(refusal(1_920, 1_088, 25, "High") == "hardware: no 1920x1088, takes 64x64 to 1280x720")
        #expect(refusal(32, 32, 25, "High") == "hardware: no 32x32, takes 64x64 to 1280x720")
        #expect(refusal(1_280, 720, 60, "High") == "hardware: no 60 pictures a second, at most 50")
        #expect(refusal(1_280, 720, 50, "High 10") == "hardware: no profile High 10")
    }

    /// A file narrows what the driver says, and never the other way.
    @Test func limitsOnlyNarrow() {
        let device = Self.device("/dev/video0", .h264, .hevc, profiles: ["Main"])
        let wide = Self.budget(
            [device], .init(driver: "vpu", streams: [.init(.h264, profiles: ["High", "Main"], mostWidth: 8_192)]))
        #expect(wide.capabilities.map(\.stream.coding) == [.h264])
        #expect(wide.capabilities.first?.stream.sizes == FrameSizes(width: 64...1_920, height: 64...1_088))
        #expect(wide.capabilities.first?.stream.profiles == ["Main"])
        for nothing: DecoderLimits.Device in [
            .init(driver: "vpu", instances: 0), .init(driver: "vpu", streams: []),
            .init(driver: "vpu", streams: [.init(.h264, instances: 0)]),
            .init(driver: "vpu", streams: [.init(.h264, profiles: ["High"])]),
            .init(driver: "vpu", streams: [.init(.h264, mostHeight: 32)]),
        ] { #expect(Self.budget([device], nothing).capabilities.isEmpty) }
        #expect(Self.budget([device], .init(driver: "other", instances: 0)).capabilities.count == 2)
        var silent = device
        silent.streams = [.init(.h264, VideoCoding.h264.stateful)]
        let told = Self.budget(
            [silent], .init(driver: "vpu", streams: [.init(.h264, profiles: ["High"], mostWidth: 1_920)]))
        #expect(told.capabilities.first?.stream.profiles == ["High"])
        #expect(told.capabilities.first?.stream.sizes == FrameSizes(width: 1...1_920, height: 1...65_535))
    }

    /// The device with the fewest sessions; what the session excludes is not its.
    @Test func severalDevices() throws {
        var budget = Self.budget(
            [
                Self.device("/dev/video0", .h264), Self.device("/dev/video1", .h264),
                Self.device("/dev/video2", .h264, kind: .stateless),
            ], .init(driver: "vpu", instances: 2))
        let paths = try (0..<4).map { _ in try budget.admit(DecoderNeed(.h264)).get().path }
        #expect(paths == ["/dev/video0", "/dev/video1", "/dev/video0", "/dev/video1"])
        #expect(Self.refusal(&budget, DecoderNeed(.h264)) == "hardware: all 4 sessions in use")
        budget = Self.budget([Self.device("/dev/video0", .h264)])
        #expect(budget.admit(DecoderNeed(.h264), excluding: ["/dev/video0"]) == .failure(.excluded))
    }

    /// It may refuse to be opened while it is in use.
    @Test func aDeviceThatComesAndGoes() throws {
        let nothing = DecoderInventory(devices: [], software: [])
        var budget = Self.budget([Self.device("/dev/video0", .h264)], .init(driver: "vpu", instances: 1))
        let held = try budget.admit(DecoderNeed(.h264)).get()
        budget.replace(nothing)
        #expect(Self.refusal(&budget, DecoderNeed(.h264)) == "hardware: all 1 sessions in use" && budget.count == 1)
        budget.release(held.number)
        budget.replace(nothing)
        #expect(Self.refusal(&budget, DecoderNeed(.h264)) == "hardware: no device")
        budget.replace(DecoderInventory(devices: [Self.device("/dev/video0", .h264)], software: []))
        #expect(Self.refusal(&budget, DecoderNeed(.h264)) == nil)
    }

    /// Whatever comes and goes, no limit is passed, and what is given back is free.
    @Test(arguments: 1...100 as ClosedRange<UInt64>) func neverBeyondALimit(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let paths = ["/dev/video0", "/dev/video1"]
        var budget = Self.budget(
            paths.map { Self.device($0, .h264, .hevc) },
            .init(
                driver: "vpu", instances: 4, pixelsPerSecond: 200_000_000,
                streams: [.init(.h264, instances: 2), .init(.hevc)]))
        var held: [(DecoderBudget.Admission, DecoderNeed)] = []
        for _ in 0..<200 {
            if Bool.random(using: &random), let index = held.indices.randomElement(using: &random) {
                budget.release(held.remove(at: index).0.number)
                continue
            }
            let size = DecoderNeed.Size(
                width: Int.random(in: 64...1_920, using: &random), height: Int.random(in: 64...1_088, using: &random))
            let need = DecoderNeed(
                Bool.random(using: &random) ? .h264 : .hevc, size: size,
                picturesPerSecond: [24, 25, 50, 60].randomElement(using: &random))
            if case .success(let admission) = budget.admit(need) { held.append((admission, need)) }
            for path in paths {
                let here = held.filter { $0.0.path == path }.map(\.1)
                #expect(here.count <= 4 && here.count { $0.coding == .h264 } <= 2)
                #expect(here.map(\.pixelsPerSecond).reduce(0, +) <= 200_000_000)
            }
            #expect(budget.count == held.count)
        }
    }

    @Test func aPlaceIsFreeWithItsLastHolder() throws {
        let inventory = DecoderInventory(devices: [Self.device("/dev/video0", .h264)], software: [])
        let pool = DecoderPool(inventory, limits: DecoderLimits(devices: [.init(driver: "vpu", instances: 1)]))
        do {
            let place = try pool.place(for: DecoderNeed(.h264)).get()
            #expect(place.path == "/dev/video0" && pool.counts == .init(inUse: 1, admitted: 1, refused: 0))
            guard case .failure(.allInUse(1)) = pool.place(for: DecoderNeed(.h264)) else {
                Issue.record("two sessions where there is room for one")
                return
            }
        }
        #expect(pool.counts == .init(inUse: 0, admitted: 1, refused: 1) && pool.lastRefusal == .allInUse(1))
        pool.replace(DecoderInventory(devices: [], software: []))
        guard case .failure(.noDevice) = pool.place(for: DecoderNeed(.h264)) else {
            Issue.record("a device that is not there")
            return
        }
    }
}
