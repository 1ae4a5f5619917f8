// SPDX-License-Identifier: Apache-2.0

/// What a board's decoders can do where their drivers say more than that, or nothing. Narrows what drivers say; what it
/// does not mention it leaves as it is.
public struct DecoderLimits: Hashable, Sendable {
    public struct Device: Hashable, Sendable {
        /// As the driver is called (`driver` of `DecoderDevice`): of each of its devices.
        public var driver: String
        /// Sessions at a time, of all streams together.
        public var instances: Int?
        /// All sessions together.
        public var pixelsPerSecond: Int?
        /// Nil: all that the driver lists; else no other.
        public var streams: [Stream]?

        public init(
            driver: String, instances: Int? = nil, pixelsPerSecond: Int? = nil, streams: [Stream]? = nil
        ) {
            self.driver = driver
            self.instances = instances
            self.pixelsPerSecond = pixelsPerSecond
            self.streams = streams
        }
    }

    public struct Stream: Hashable, Sendable {
        public var coding: VideoCoding
        /// Nil: all of the driver's.
        public var profiles: [String]?
        /// Of a picture as it is coded.
        public var mostWidth: Int?
        public var mostHeight: Int?
        /// Of one session.
        public var mostPicturesPerSecond: Int?
        /// Sessions of this stream at a time; 0: none.
        public var instances: Int?

        public init(
            _ coding: VideoCoding, profiles: [String]? = nil, mostWidth: Int? = nil, mostHeight: Int? = nil,
            mostPicturesPerSecond: Int? = nil, instances: Int? = nil
        ) {
            self.coding = coding
            self.profiles = profiles
            self.mostWidth = mostWidth
            self.mostHeight = mostHeight
            self.mostPicturesPerSecond = mostPicturesPerSecond
            self.instances = instances
        }
    }

    public var devices: [Device]

    public init(devices: [Device] = []) { self.devices = devices }

    func limits(of device: DecoderDevice) -> Device? { devices.first { $0.driver == device.driver } }
}
