#!/bin/sh
# local-cluster.sh FOLDER COMMAND...: runs a command on a Slurm cluster that consists of this machine.
#
# Starts munged, slurmctld and slurmd (Debian: munge, slurm-wlm) with all their files in FOLDER and on ports that nobody else uses, runs
# the command with SLURM_CONF set, and ends the three again. Needs the rights of root, because slurmd changes users. For tests.
set -e
folder=$(mkdir -p "$1" && cd "$1" && pwd)
shift
for tool in munged slurmctld slurmd sbatch sinfo; do
    command -v "$tool" > /dev/null || { echo "local-cluster: $tool is not installed" >&2; exit 3; }
done
[ "$(id -u)" = 0 ] || { echo "local-cluster: needs the rights of root" >&2; exit 3; }
umask 022
mkdir -p "$folder/state" "$folder/spool" "$folder/munge"
chmod 700 "$folder/munge"
head -c 128 /dev/urandom > "$folder/munge/key"
chmod 400 "$folder/munge/key"
port=$((20000 + $$ % 20000))
host=$(hostname -s)
cat > "$folder/slurm.conf" <<CONF
ClusterName=local
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF="$folder/slurm.conf"
started=
# Jobs outlive the daemons, so what still runs is cancelled first.
end() {
    scancel --quiet --full --user="$(id -un)" 2> /dev/null || :
    tries=0
    while [ "$tries" -lt 50 ] && [ -n "$(squeue --noheader 2> /dev/null)" ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
    for process in $started; do kill "$process" 2> /dev/null || :; done
    wait 2> /dev/null || :
}
trap end EXIT
trap 'exit 1' INT TERM
munged --foreground --force --key-file="$folder/munge/key" --socket="$folder/munge.socket" \
    --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" > "$folder/munged.out" 2>&1 &
started="$started $!"
slurmctld -D -f "$SLURM_CONF" > "$folder/slurmctld.out" 2>&1 &
started="$started $!"
slurmd -D -f "$SLURM_CONF" -N "$host" > "$folder/slurmd.out" 2>&1 &
started="$started $!"
tries=0
until sinfo --noheader --format=%t 2> /dev/null | grep -q idle; do
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || { echo "local-cluster: the daemons do not come up, see $folder" >&2; exit 3; }
    sleep 0.2
done
"$@"
