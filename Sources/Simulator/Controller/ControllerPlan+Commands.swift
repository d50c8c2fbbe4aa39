import HCI

extension [Opcode] {
    /// What a Bluetooth 4.0 dongle knows of what a central needs.
    static let oldest: [Opcode] = [
        Disconnect.opcode, ReadRemoteVersionInformation.opcode, SetEventMask.opcode, Reset.opcode,
        ReadLocalVersionInformation.opcode, ReadLocalSupportedCommands.opcode, ReadLocalSupportedFeatures.opcode,
        ReadBufferSize.opcode, ReadBDADDR.opcode, ReadRSSI.opcode, WriteLEHostSupport.opcode,
        LESetEventMask.opcode, LEReadBufferSize.opcode, LEReadLocalSupportedFeatures.opcode, LESetRandomAddress.opcode,
        LESetScanParameters.opcode, LESetScanEnable.opcode, LECreateConnection.opcode, LECreateConnectionCancel.opcode,
        LEReadFilterAcceptListSize.opcode, LEClearFilterAcceptList.opcode, LEAddDeviceToFilterAcceptList.opcode,
        LERemoveDeviceFromFilterAcceptList.opcode, LEConnectionUpdate.opcode, LEReadRemoteFeatures.opcode,
        LEEncrypt.opcode, LERand.opcode, LEEnableEncryption.opcode, LELongTermKeyRequestReply.opcode,
        LELongTermKeyRequestNegativeReply.opcode, LEReadSupportedStates.opcode,
    ]

    /// What a 5.x controller knows of it, without the cryptography, which hosts have to do without on many.
    static let modern: [Opcode] =
        oldest + resolvingList + [
            SetEventMaskPage2.opcode, LERemoteConnectionParameterRequestReply.opcode,
            LERemoteConnectionParameterRequestNegativeReply.opcode, LESetDataLength.opcode,
            LEReadSuggestedDefaultDataLength.opcode, LEWriteSuggestedDefaultDataLength.opcode,
            LEReadMaximumDataLength.opcode, LEReadPHY.opcode, LESetDefaultPHY.opcode, LESetPHY.opcode,
            LESetExtendedScanParameters.opcode, LESetExtendedScanEnable.opcode, LEExtendedCreateConnection.opcode,
            LEReadBufferSizeV2.opcode, .readMaximumAdvertisingDataLength, .readNumberOfSupportedAdvertisingSets,
            .clearAdvertisingSets,
        ]

    /// The commands of private addresses.
    static let resolvingList: [Opcode] = [
        LEAddDeviceToResolvingList.opcode, LERemoveDeviceFromResolvingList.opcode, LEClearResolvingList.opcode,
        LEReadResolvingListSize.opcode, LEReadPeerResolvableAddress.opcode, LEReadLocalResolvableAddress.opcode,
        LESetAddressResolutionEnable.opcode, LESetResolvablePrivateAddressTimeout.opcode, LESetPrivacyMode.opcode,
    ]
}

// Commands of the peripheral role. Nobody advertises from here, but the feature of extended advertising stands for both roles, and
// Linux takes no controller that claims it and does not know these.
extension Opcode {
    /// Core Vol 4, Part E, 7.8.57.
    static let readMaximumAdvertisingDataLength = Opcode(rawValue: 0x203A)
    /// Core Vol 4, Part E, 7.8.58.
    static let readNumberOfSupportedAdvertisingSets = Opcode(rawValue: 0x203B)
    /// Core Vol 4, Part E, 7.8.60.
    static let clearAdvertisingSets = Opcode(rawValue: 0x203D)
}
