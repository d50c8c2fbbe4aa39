// A test that replays a capture needs one import: the modules whose types this one's interface is made of come with it.
@_exported public import ATT
@_exported public import Capture
@_exported public import CaptureFiles
@_exported public import Dissection
@_exported public import GAP
@_exported public import GATT
@_exported public import HCI
@_exported public import HeartRate
@_exported public import Host
@_exported public import Wire
