/**
 * Programs that destroy data, reach the network or change the machine whatever their arguments are, as data.
 */
import type { AccessClass } from '../../types.ts';

const all = (names: string, value: readonly [AccessClass, string]) =>
  names.split(' ').map((name) => [name, value] as const);

export const HOSTING = 'talks to a hosting service';

const KEYWORDS = 'if then elif else fi for while until do done case esac select function coproc in { } ! [[ ]]';
/** Words of the shell, and built-ins that are no programs with options of their own. */
export const SHELL_WORDS: ReadonlySet<string> = new Set(`${KEYWORDS} let init telinit`.split(' '));

export const SYSTEM_PROGRAMS: ReadonlyMap<string, readonly [AccessClass, string]> = new Map([
  ...all('dd', ['destructive', 'overwrites what it is pointed at']),
  ...all(
    'shred wipe srm wipefs mkfs mke2fs mkswap fdisk sfdisk gdisk sgdisk parted blkdiscard hdparm cryptsetup lvremove vgremove pvremove zpool newfs diskutil',
    ['destructive', 'destroys data on a disk'],
  ),
  ...all('truncate', ['destructive', 'cuts off file content']),
  ...all('shutdown reboot halt poweroff init telinit', ['destructive', 'stops the machine']),
  ...all('userdel groupdel deluser delgroup', ['destructive', 'removes an account']),
  ...all('rmtree rimraf trash trash-put del-cli', ['destructive', 'deletes files']),
  ...all('dropdb dropuser', ['destructive', 'deletes a database or its user']),
  ...all('vercel netlify firebase wrangler heroku fly flyctl now surge', ['network', HOSTING]),
  ...all(
    'wget2 ftp sftp telnet nc ncat netcat socat ping ping6 traceroute tracepath mtr dig nslookup host whois http https xh aria2c axel lftp ssh-copy-id ssh-keyscan mosh rlogin nmap tcpdump websocat grpcurl w3m lynx links',
    ['network', 'reaches the network'],
  ),
  ...all('useradd usermod adduser addgroup groupadd passwd chpasswd visudo', [
    'outside',
    'changes accounts of the machine',
  ]),
  ...all(
    'mount umount swapon swapoff losetup modprobe insmod rmmod sysctl iptables nft ufw firewall-cmd ip ifconfig route setenforce',
    ['outside', 'changes the machine'],
  ),
  ...all('systemctl service launchctl rc-service update-rc.d crontab at batch loginctl hostnamectl timedatectl', [
    'outside',
    'changes services or schedules of the machine',
  ]),
  ...all('pkill killall skill', ['outside', 'ends processes by name']),
  ...all('su runuser chroot nsenter unshare newgrp login sudoedit visudo', [
    'outside',
    'runs something with other rights',
  ]),
  ...all('ssh-add gpg gpg2 pass security keyctl secret-tool', ['outside', 'handles keys']),
  ...all('apt apt-get aptitude dpkg dnf yum rpm zypper pacman yay apk snap flatpak port nix nix-env choco scoop', [
    'outside',
    'changes the programs of the machine',
  ]),
  ...all('enable bind complete compgen compopt fc getopts select builtin-load', [
    'hidden',
    'changes how later commands are read',
  ]),
  ...all(KEYWORDS, ['hidden', 'is a word of the shell where a program should be']),
  ...all(
    'parallel rush expect screen tmux script scriptreplay entr watchexec nodemon vi vim nvim view ex ed emacs nano gdb lldb',
    ['hidden', 'runs commands that it is given as text'],
  ),
]);
