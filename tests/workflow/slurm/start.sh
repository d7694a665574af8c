#!/usr/bin/env bash
# Start a SLURM of one node on this machine, for tests: munged, slurmctld and slurmd on loopback, without systemd; root.
# The node claims more processors and memory than it has, and two GPUs that only count. Starting twice does nothing more.
set -euo pipefail
state=${SLURM_TEST_STATE:?the folder for keys, logs and pids}
host=$(hostname -s)
# Jobs find their controller by this file only: Snakemake's job step drops SLURM_CONF.
conf=/etc/slurm/slurm.conf
mark="# made for the tests of relprobe"

# By pid and executable: pids get reused, and a killed daemon may stay as a zombie.
alive() {
    local pid
    pid=$(cat "$state/pid/$1.pid" 2>/dev/null) && [[ $(readlink "/proc/$pid/exe") == */$1* ]]
}

if [ -e $conf ] && ! grep -qF "$mark" $conf; then
    echo "$conf belongs to a real cluster: the tests do not touch it." >&2
    exit 1
fi
getent hosts "$host" >/dev/null || echo "127.0.0.1 $host" >>/etc/hosts
mkdir -p "$state"/{munge,ctld,slurmd,log,pid} /run/munge /etc/slurm

if ! alive munged; then
    chmod 755 "$state" /run/munge
    chmod 700 "$state/munge"
    [ -s "$state/munge/munge.key" ] || (umask 077 && head -c 1024 /dev/urandom >"$state/munge/munge.key")
    rm -f "$state/munge/munged.pid" /run/munge/munge.socket.2* # left by a daemon that was killed
    chown -R munge:munge "$state/munge" /run/munge
    runuser -u munge -- /usr/sbin/munged --force \
        --key-file="$state/munge/munge.key" \
        --log-file="$state/munge/munged.log" \
        --pid-file="$state/munge/munged.pid" \
        --seed-file="$state/munge/munged.seed"
    for _ in $(seq 50); do
        munge -n >/dev/null 2>&1 && [ -s "$state/munge/munged.pid" ] && break
        sleep 0.1
    done
    cp "$state/munge/munged.pid" "$state/pid/"
fi
munge -n | unmunge >/dev/null

cat >$conf <<END
$mark
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser=root
SlurmctldPidFile=$state/pid/slurmctld.pid
SlurmdPidFile=$state/pid/slurmd.pid
StateSaveLocation=$state/ctld
SlurmdSpoolDir=$state/slurmd
SlurmctldLogFile=$state/log/slurmctld.log
SlurmdLogFile=$state/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
GresTypes=gpu
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill,UsePss
MinJobAge=3600
KillWait=2
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=16 RealMemory=64000 Gres=gpu:2 State=UNKNOWN
PartitionName=cpu Nodes=$host Default=YES MaxTime=1-0
PartitionName=gpu Nodes=$host MaxTime=1-0
END
# Distinct character devices, or CUDA_VISIBLE_DEVICES is not set.
printf '%s\n' "$mark" AutoDetect=off \
    "NodeName=$host Name=gpu File=/dev/null" \
    "NodeName=$host Name=gpu File=/dev/zero" >/etc/slurm/gres.conf

alive slurmctld || slurmctld -c -f $conf # -c: without the jobs of an earlier test
alive slurmd || slurmd -c -f $conf
for _ in $(seq 75); do
    sleep 0.2
    alive slurmctld && alive slurmd || continue
    case $(timeout 5 sinfo --noheader --partition=cpu --format=%T 2>/dev/null) in
        idle | mixed | allocated | completing) exit 0 ;;
    esac
done
echo "SLURM did not come up:" >&2
tail -n 20 "$state/log/slurmctld.log" "$state/log/slurmd.log" >&2
exit 1
