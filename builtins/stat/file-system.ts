/** Names of file systems by the numbers that statfs(2) tells (linux/magic.h), as GNU stat prints them. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [0xef53, 'ext2/ext3'],
  [0x01021994, 'tmpfs'],
  [0x58465342, 'xfs'],
  [0x9123683e, 'btrfs'],
  [0x794c7630, 'overlayfs'],
  [0x6969, 'nfs'],
  [0x9fa0, 'proc'],
  [0x62656572, 'sysfs'],
  [0x4d44, 'msdos'],
  [0x65735546, 'fuseblk'],
  [0x2fc12fc1, 'zfs'],
  [0xf2f52010, 'f2fs'],
  [0x73717368, 'squashfs'],
  [0x858458f6, 'ramfs'],
  [0x1cd1, 'devpts'],
  [0x9660, 'isofs'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x01021997, 'v9fs'],
  [0x5346544e, 'ntfs'],
  [0x00c36400, 'ceph'],
  [0x2011bab0, 'exfat'],
  [0xca451a4e, 'bcachefs'],
  [0x63677270, 'cgroup2fs'],
]);

export function fileSystemName(type: number): string {
  const unsigned = type >>> 0;
  return NAMES.get(unsigned) ?? `UNKNOWN (0x${unsigned.toString(16)})`;
}
