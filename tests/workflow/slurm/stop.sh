#!/usr/bin/env bash
# Stop the daemons that start.sh started, by pid, and take their files away.
set -uo pipefail
state=${SLURM_TEST_STATE:?the folder for keys, logs and pids}

is() { [ -n "$1" ] && [[ $(readlink "/proc/$1/exe") == */$2* ]]; }

if is "$(cat "$state/pid/slurmctld.pid" 2>/dev/null)" slurmctld; then
    mapfile -t jobs < <(timeout 10 squeue --noheader --format=%A 2>/dev/null)
    [ ${#jobs[@]} -gt 0 ] && timeout 10 scancel "${jobs[@]}" && sleep 3
fi
for daemon in slurmd slurmctld munged; do
    pid=$(cat "$state/pid/$daemon.pid" 2>/dev/null)
    is "$pid" $daemon && kill "$pid"
    for _ in $(seq 100); do
        is "$pid" $daemon || break
        sleep 0.1
    done
    is "$pid" $daemon && kill -9 "$pid"
done
# While the file is there and no controller runs, every call of Snakemake waits for it.
for file in slurm.conf gres.conf; do
    grep -qsF "# made for the tests of relprobe" /etc/slurm/$file && rm -f /etc/slurm/$file
done
rm -rf "$state"
