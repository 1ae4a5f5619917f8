// SPDX-License-Identifier: Apache-2.0

/// Limits of a board's decoders that their drivers overstate or do not report. They narrow what drivers report; what
/// they do not mention stays unchanged.
public struct DecoderLimits: Hashable, Sendable {
    public struct Device: Hashable, Sendable {
        /// Driver name, as in `DecoderDevice.driver`; the limits hold for each of its devices.
        public var driver: String
        /// Limit on concurrent sessions of all streams together.
        public var instances: Int?
        /// Limit for all sessions together.
        public var pixelsPerSecond: Int?
        /// The only streams to use; nil permits all that the driver lists.
        public var streams: [Stream]?
        /// What is wrong with the licence that the device needs, so that it is not used; nil if nothing is.
        public var licenceProblem: String?

        public init(
            driver: String, instances: Int? = nil, pixelsPerSecond: Int? = nil, streams: [Stream]? = nil,
            licenceProblem: String? = nil
        ) {
            self.driver = driver
            self.instances = instances
            self.pixelsPerSecond = pixelsPerSecond
            self.streams = streams
            self.licenceProblem = licenceProblem
        }
    }

    public struct Stream: Hashable, Sendable {
        public var coding: VideoCoding
        /// nil permits all that the driver lists.
        public var profiles: [String]?
        /// Limits on the coded size in pixels; nil for those of the driver.
        public var mostWidth: Int?
        public var mostHeight: Int?
        /// Limit for one session.
        public var mostPicturesPerSecond: Int?
        /// Limit on concurrent sessions of this stream; 0 forbids the stream.
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

    /// nil if the board says nothing of it.
    public func limits(of device: DecoderDevice) -> Device? { devices.first { $0.driver == device.driver } }
}
