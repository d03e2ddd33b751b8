#!/usr/bin/env bash
# Judges the queries and keys, or the weights, in MCSIM_FILE with the program MCSIM. If MCSIM_FILE is
# empty, it draws the plan MCSIM_PLAN and judges its gates. It writes the verdict, the path of the
# JUnit file and the folder of the results to GITHUB_OUTPUT, and a summary to GITHUB_STEP_SUMMARY.
# It ends with the exit code of mcsim: 0 all gates pass, 1 one fails, 3 undecided, 2 bad input.
set -euo pipefail

folder=${MCSIM_FOLDER:-}
# The folder is written to a line of GITHUB_OUTPUT, so it must not contain a line break.
case $folder in "" | *[[:cntrl:]]*)
	echo "::error::The folder must be a path on one line."
	exit 2
	;;
esac
junit=$folder/junit.xml
summary= # a file with the summary, if the command writes one
judge=("${MCSIM:?}")
if [ -n "${MCSIM_FILE:-}" ]; then
	if [ -z "${MCSIM_CHECK:-}${MCSIM_GATE:-}${MCSIM_GATE_MAX:-}${MCSIM_GATE_ENTROPY:-}" ]; then
		echo "::error::The input file needs a check, such as 5%, or a gate, such as 0.2..3."
		exit 2
	fi
	mkdir -p -- "$folder"
	summary=$folder/summary.md
	judge+=(inspect "--junit=$junit" "--summary=$summary")
	if [ -n "${MCSIM_CHECK:-}" ]; then judge+=("--check=$MCSIM_CHECK"); fi
	if [ -n "${MCSIM_GATE:-}" ]; then judge+=("--gate=$MCSIM_GATE"); fi
	if [ -n "${MCSIM_GATE_MAX:-}" ]; then judge+=("--gate-max=$MCSIM_GATE_MAX"); fi
	if [ -n "${MCSIM_GATE_ENTROPY:-}" ]; then judge+=("--gate-entropy=$MCSIM_GATE_ENTROPY"); fi
	if [ -n "${MCSIM_SCALE:-}" ]; then judge+=("--scale=$MCSIM_SCALE"); fi
	judge+=(-- "$MCSIM_FILE")
else
	if [ -z "${MCSIM_PLAN:-}" ]; then
		echo "::error::The plan must be a file, or the name of a ready plan such as default."
		exit 2
	fi
	# If a gate fails (1) or is undecided (3), verify still writes its report and sets the exit
	# code. Any other code ends the script here.
	flags=(--fresh "--out=$folder")
	if [ -n "${MCSIM_SEED:-}" ]; then flags+=("--seed=$MCSIM_SEED"); fi
	if [ -n "${MCSIM_TOLERANCE:-}" ]; then flags+=("--tolerance=$MCSIM_TOLERANCE"); fi
	code=0
	"$MCSIM" run "${flags[@]}" -- "$MCSIM_PLAN" || code=$?
	case $code in 0 | 1 | 3) ;; *) exit "$code" ;; esac
	judge+=(verify "--junit=$junit" -- "$folder")
fi

code=0
said=$("${judge[@]}") || code=$?
printf '%s\n' "$said"
case $code in
0) verdict=pass ;;
1) verdict=fail ;;
3) verdict=undecided ;;
*) exit "$code" ;;
esac
{
	echo "verdict=$verdict"
	echo "junit=$junit"
	echo "results=$folder"
} >>"$GITHUB_OUTPUT"
{
	if [ -n "$summary" ]; then
		cat -- "$summary"
	else
		echo "### mcsim: $verdict"
	fi
	echo
	echo '```'
	printf '%s\n' "$said"
	echo '```'
} >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
exit "$code"
