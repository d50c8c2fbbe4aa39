/// The packets that have a type here, by their numbers.
public enum KnownPackets {
    /// Commands that have a type.
    public static let commands: [any Command.Type] = [
        // Setup
        Reset.self, SetEventMask.self, SetEventMaskPage2.self, LESetEventMask.self, WriteLEHostSupport.self,
        LESetRandomAddress.self,
        // Information
        ReadLocalVersionInformation.self, ReadLocalSupportedCommands.self, ReadLocalSupportedFeatures.self,
        ReadLocalExtendedFeatures.self, ReadBufferSize.self, ReadBDADDR.self, LEReadBufferSize.self,
        LEReadBufferSizeV2.self,
        LEReadLocalSupportedFeatures.self, LEReadSupportedStates.self,
        // Scanning
        LESetScanParameters.self, LESetScanEnable.self, LESetExtendedScanParameters.self, LESetExtendedScanEnable.self,
        // Connecting
        LECreateConnection.self, LEExtendedCreateConnection.self, LECreateConnectionCancel.self,
        // Connection control
        Disconnect.self, ReadRemoteVersionInformation.self, LEReadRemoteFeatures.self, LEConnectionUpdate.self,
        LERemoteConnectionParameterRequestReply.self, LERemoteConnectionParameterRequestNegativeReply.self,
        ReadRSSI.self,
        // Data length
        LESetDataLength.self, LEReadSuggestedDefaultDataLength.self, LEWriteSuggestedDefaultDataLength.self,
        LEReadMaximumDataLength.self,
        // Physical layer
        LEReadPHY.self, LESetDefaultPHY.self, LESetPHY.self,
        // Filter accept list
        LEReadFilterAcceptListSize.self, LEClearFilterAcceptList.self, LEAddDeviceToFilterAcceptList.self,
        LERemoveDeviceFromFilterAcceptList.self,
        // Resolving list
        LEAddDeviceToResolvingList.self, LERemoveDeviceFromResolvingList.self, LEClearResolvingList.self,
        LEReadResolvingListSize.self, LEReadPeerResolvableAddress.self, LEReadLocalResolvableAddress.self,
        LESetAddressResolutionEnable.self, LESetResolvablePrivateAddressTimeout.self,
        LESetPrivacyMode.self,
        // Advertising
        LESetAdvertisingParameters.self, LESetAdvertisingData.self, LESetScanResponseData.self,
        LESetAdvertisingEnable.self, LEReadAdvertisingPhysicalChannelTxPower.self,
        LEReadMaximumAdvertisingDataLength.self,
        LEReadNumberOfSupportedAdvertisingSets.self,
        // BR/EDR
        WriteLocalName.self, ReadLocalName.self, WriteClassOfDevice.self, WriteExtendedInquiryResponse.self,
        WriteSimplePairingMode.self, WriteSecureConnectionsHostSupport.self,
        WritePageTimeout.self, WriteScanEnable.self, WriteInquiryScanActivity.self, WriteCurrentIACLAP.self,
        WriteInquiryScanType.self, WriteInquiryMode.self, WritePageScanType.self,
        CreateConnection.self, WriteDefaultLinkPolicySettings.self, HostBufferSize.self,
        WriteVoiceSetting.self, ReadLocalSupportedCodecs.self,
        // Security
        LEEncrypt.self, LERand.self, LEEnableEncryption.self, LELongTermKeyRequestReply.self,
        LELongTermKeyRequestNegativeReply.self, LEReadLocalP256PublicKey.self, LEGenerateDHKey.self,
    ]

    /// Events that have a type, LE events apart.
    public static let events: [any EventParameters.Type] = [
        ConnectionComplete.self, DisconnectionComplete.self, EncryptionChange.self, EncryptionChangeV2.self,
        ReadRemoteVersionInformationComplete.self, CommandComplete.self, CommandStatus.self, HardwareError.self,
        NumberOfCompletedPackets.self, DataBufferOverflow.self, EncryptionKeyRefreshComplete.self,
    ]

    /// LE events that have a type.
    public static let leEvents: [any LEEventParameters.Type] = [
        LEConnectionComplete.self, LEAdvertisingReport.self, LEConnectionUpdateComplete.self,
        LEReadRemoteFeaturesComplete.self, LELongTermKeyRequest.self, LERemoteConnectionParameterRequest.self,
        LEDataLengthChange.self, LEReadLocalP256PublicKeyComplete.self, LEGenerateDHKeyComplete.self,
        LEEnhancedConnectionComplete.self, LEDirectedAdvertisingReport.self, LEPHYUpdateComplete.self,
        LEExtendedAdvertisingReport.self, LEChannelSelectionAlgorithm.self, LEEnhancedConnectionCompleteV2.self,
    ]

    static let commandsByOpcode: [Opcode: any Command.Type] =
        Dictionary(commands.map { ($0.opcode, $0) }) { first, _ in first }

    static let eventsByCode: [EventCode: any EventParameters.Type] =
        Dictionary(events.map { ($0.code, $0) }) { first, _ in first }

    static let leEventsBySubevent: [LESubevent: any LEEventParameters.Type] =
        Dictionary(leEvents.map { ($0.subevent, $0) }) { first, _ in first }
}
