// SPDX-License-Identifier: Apache-2.0
// What of the statistics is shown in words. Names are those of `touchline stats`; what a box does not say is a dash.

const count = (value) => Math.round(value).toLocaleString("en");
const fixed = (value, digits) => value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
export const milliseconds = (us) => `${fixed(us / 1000, 1)} ms`;
export const ppm = (ppb) => `${fixed(ppb / 1000, 1)} ppm`;
const hertz = (micro) => (micro > 0 ? `${fixed(micro / 1e6, 3)} Hz` : "unknown");
export const kilobits = (value) => `${count(value)} kbit/s`;
export const decibels = (centi) => (centi <= -12000 ? "silent" : `${fixed(centi / 100, 1)} dBFS`);
export const percent = (permille) => `${fixed(permille / 10, 1)} %`;
const yes = (value) => (value ? "yes" : "no");
const source = (value) => ["nothing yet", "time stamps", "PCR"][value] ?? String(value);
const ladder = (value) =>
  ["nothing", "nothing, a thread more", "loop filter", "unused pictures", "all but key pictures"][value] ?? String(value);

const total = (path, label) => ({ path, label, describe: count, isTotal: true });
const fault = (path, label) => ({ ...total(path, label), isFault: true });
const value = (path, label, describe) => ({ path, label, describe });

/// Tables in their order, each a title and rows.
export const tables = [
  ["Network", [
    total("reception.datagrams", "Datagrams"), fault("reception.lostPackets", "RTP lost"),
    fault("reception.reorderedPackets", "RTP reordered"), fault("reception.duplicatePackets", "RTP duplicates"),
    fault("reception.latePackets", "RTP too late"), total("reception.lostBeforeRepair", "RTP lost before repair"),
    total("reception.recoveredPackets", "RTP made again"), total("reception.repairDatagrams", "Repair packets"),
    total("reception.protectionWindows", "Windows"), fault("reception.windowsFailed", "Windows beyond repair"),
    total("reception.lostByFirstPath", "Lost by the first path"), total("reception.lostBySecondPath", "Lost by the second path"),
    fault("reception.foreignSSRC", "Of a second sender"), total("reception.ssrcChanges", "Sender changes"),
    total("reception.sequenceRestarts", "Sequence restarts"), fault("reception.kernelDrops", "Dropped by the kernel"),
    fault("reception.malformedDatagrams", "Malformed"), fault("reception.wrongPayloadType", "Wrong payload type"),
  ]],
  ["Transport stream", [
    total("reception.tsPackets", "Packets"), fault("reception.tsDiscontinuities", "Continuity errors"),
    fault("reception.tsTransportErrors", "Transport errors"), total("reception.tsDuplicates", "Duplicates"),
    total("reception.tsSignalledDiscontinuities", "Announced discontinuities"),
    fault("reception.tsSkippedOctets", "Octets skipped"), total("reception.randomAccessPoints", "Places to join"),
    fault("playback.scrambledPackets", "Scrambled"), fault("playback.timestampJumps", "Time stamp jumps"),
  ]],
  ["Clock", [
    value("reception.clockSource", "Follows", source), value("reception.clockLocked", "Locked", yes),
    value("reception.clockDriftPPB", "Sender faster by", ppm), value("reception.clockJitterUs", "Jitter, mean", milliseconds),
    value("reception.clockPeakJitterUs", "Jitter, peak", milliseconds),
    value("reception.clockSlackUs", "Sender's own delay", milliseconds), total("reception.pcrCount", "PCRs"),
    fault("reception.pcrDoubtful", "PCRs doubtful"), fault("reception.clockJumps", "Jumps"),
    fault("reception.clockStalls", "Stalls"),
  ]],
  ["Buffer", [
    value("position.offsetMs", "Behind live", (ms) => `${fixed(ms / 1000, 1)} s`),
    value("position.availableMs", "History", (ms) => `${fixed(ms / 1000, 1)} s`),
    fault("playback.historyOverruns", "History overruns"), fault("stage.starvations", "Starvations"),
  ]],
  ["Pictures", [
    total("playback.framesDecoded", "Decoded"), total("stage.picturesPresented", "Presented"),
    fault("stage.picturesLate", "Late, not shown"), fault("stage.picturesDelayed", "Shown over 20 ms late"),
    fault("num_dropped_video_frames", "Dropped"), fault("playback.damagedFrames", "Damaged"),
    fault("playback.picturesHeld", "Held back"), fault("playback.decodeErrors", "Refused by the decoder"),
    fault("playback.decoderRestarts", "Decoder restarts"), value("playback.decodeLoad", "Decoding takes", percent),
    value("playback.decoderRung", "Decoded by", (rung) => ["nothing", "the processor", "a device"][rung] ?? ""),
    value("playback.ladderStep", "Decoding leaves out", ladder), value("stage.pictureErrorUs", "Shown after due", milliseconds),
  ]],
  ["Display", [
    value("screen.connector", "Connector", String), value("screen.mode", "Mode", String),
    total("screen.hotplugs", "Changes told by the kernel"), fault("screen.flipsLost", "Page flips lost"),
    fault("screen.commitsRefused", "Commits refused"), total("screen.modesets", "Modes set"),
    fault("screen.modesetsLost", "Modes not set in time"),
    total("screen.planePictures", "Pictures on a plane"), value("screen.planeRefusal", "Plane refused, because", String),
    value("screen.longestRecoveryMs", "Longest accident", (ms) => `${count(ms)} ms`),
    value("pacing.refreshMicroHertz", "Refresh, measured", hertz), value("pacing.vblankJitterUs", "Page flips off it", milliseconds),
    value("pacing.pattern", "Vblanks of each picture", String), total("pacing.repeats", "Vblanks repeated"),
    total("pacing.drops", "Vblanks left out"), total("pacing.picturesLeftOut", "Pictures left out by the pattern"),
    fault("pacing.judder", "Pictures off the pattern"), fault("pacing.vblanksMissed", "Vblanks missed"),
  ]],
  ["Sound", [
    value("avOffsetUs", "A/V offset: sound later by", milliseconds), value("sound.audioErrorUs", "Heard after due", milliseconds),
    value("sound.correctionPPB", "Played slower by", ppm), fault("sound.underruns", "Underruns"),
    fault("sound.outputsLost", "Outputs lost"),
    fault("playback.audioUnitsDropped", "Units dropped"), fault("sessionSound.decodeErrors", "Refused by the decoder"),
    value("sound.peakCentidecibels", "Peak", decibels), value("sound.rmsCentidecibels", "Level", decibels),
  ]],
  ["Line-up", [
    total("announcementsReceived", "Announcements"), fault("announcementsMalformed", "Malformed"),
    fault("invalidJsonAnnouncements", "Invalid JSON"), fault("licenseMismatchAnnouncements", "Of another licence"),
    fault("versionMismatchAnnouncements", "Of another version"), total("announcementsNotAllowed", "Not allowed"),
    total("channelsAdded", "Channels added"), total("channelsPruned", "Channels gone silent"),
    total("listenerIgmpRestarts", "Group joins renewed"),
  ]],
];

const at = (stats, path) => path.split(".").reduce((place, name) => place?.[name], stats);

/// The tables on the page: rows are made once, values change.
export class Counters {
  #rows = [];

  constructor(parent) {
    for (const [title, rows] of tables) {
      const table = parent.appendChild(document.createElement("table"));
      table.createCaption().textContent = title;
      const body = table.createTBody();
      for (const row of rows) {
        const line = body.insertRow();
        const label = line.appendChild(document.createElement("th"));
        label.scope = "row";
        label.textContent = row.label;
        label.title = row.path;
        const shown = line.insertCell();
        shown.textContent = "–";
        const change = line.insertCell();
        change.className = "change";
        this.#rows.push({ ...row, line, shown, change });
      }
    }
  }

  /// seconds: from the last statistics to these; 0: of another session, no changes can be told.
  show(stats, before, seconds) {
    for (const row of this.#rows) {
      const now = at(stats, row.path);
      const isThere = typeof now === "number" || typeof now === "string";
      row.shown.textContent = isThere ? row.describe(now) : "–";
      const change = isThere && row.isTotal && seconds > 0 ? now - (at(before, row.path) ?? 0) : 0;
      row.change.textContent = change > 0 ? `+${count(change / seconds)} /s` : "";
      row.line.classList.toggle("fault", Boolean(row.isFault && isThere && now > 0));
    }
  }
}
